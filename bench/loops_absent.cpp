// The GPU's loops in a build without CUDA: none.

#include "bench/interference.hpp"

namespace optgap::bench {

std::vector<trainer_loop> gpu_loops() { return {}; }
std::int32_t gpu_multiprocessors() { return 0; }

}  // namespace optgap::bench
