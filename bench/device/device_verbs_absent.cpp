// Refuses the benchmarks of kernels on device memory in a build without CUDA.

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"

namespace optgap::bench {

namespace {

[[noreturn]] void refuse(char const* what) {
    throw error(status::device_unavailable, std::string(what) + ": needs a GPU; this build is without CUDA");
}

}  // namespace

measurement bench_device_generate(setting const&) { refuse("device_generate"); }
measurement bench_device_verify(setting const&) { refuse("device_verify"); }
measurement bench_device_improve(setting const&) { refuse("device_improve"); }
measurement bench_device_mixed_verify(setting const&) { refuse("device_mixed_verify"); }
measurement bench_device_mixed_step(setting const&) { refuse("device_mixed_step"); }
measurement bench_device_mixed_improve(setting const&) { refuse("device_mixed_improve"); }
std::shared_ptr<char> pinned_memory(std::size_t) { refuse("pinned memory"); }

}  // namespace optgap::bench
