// The ceilings of a build without CUDA: none.

#ifndef OPTGAP_WITH_CUDA

#include "bench/ceilings.hpp"

namespace optgap {

std::vector<ceiling> measure_ceilings() { return {}; }

}  // namespace optgap

#endif
