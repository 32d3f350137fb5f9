// The benchmarks of kernels on device memory in a build without CUDA: refused.

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
std::shared_ptr<char> pinned_memory(std::size_t) { refuse("pinned memory"); }

}  // namespace optgap::bench
