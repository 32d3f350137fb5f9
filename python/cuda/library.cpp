// liboptgap_cuda.so's one function (host/cuda/cuda_library.hpp), and its ranges, which the core's trace records.

#include "host/cuda/cuda_library.hpp"

namespace optgap {

namespace {

/// Set by each call of `make`, to the same.
std::atomic<cuda_host const*> core{nullptr};

executor* make(cuda_host const& host, cuda_options& options, std::string& why) {
    core = &host;
    // Each range asks the core whether it records.
    trace::detail::recording = true;
    return make_cuda_executor(options, why).release();
}

constexpr char const* version = OPTGAP_VERSION;

}  // namespace

void trace::detail::record(name which, clock::time_point begin) {
    cuda_host const* const host = core;
    if (host->recording->load(std::memory_order_relaxed)) {
        host->record(which, begin);
    }
}

}  // namespace optgap

extern "C" optgap::cuda_library const* optgap_cuda_library() {
    static optgap::cuda_library const library{optgap::cuda_library_layout, optgap::version, optgap::build_id(),
                                              optgap::make};
    return &library;
}
