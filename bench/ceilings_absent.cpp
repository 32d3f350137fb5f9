// The ceilings of a build without CUDA: none.

#include "bench/ceilings.hpp"

namespace optgap {

std::vector<ceiling> measure_ceilings() { return {}; }

}  // namespace optgap
