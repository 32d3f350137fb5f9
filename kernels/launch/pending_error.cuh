#pragma once
// Calls of a library that looks at the thread's last CUDA error, while an error of other code is pending.

#include <cuda_runtime_api.h>

#include <thread>

namespace optgap {

/// Orders the calling thread's own stream and that of the thread that runs `calls`: both are cudaStreamPerThread.
class own_streams_joined {
public:
    cudaError_t begin() {
        cudaError_t result = cudaEventCreateWithFlags(&before_, cudaEventDisableTiming);
        result = result != cudaSuccess ? result : cudaEventCreateWithFlags(&after_, cudaEventDisableTiming);
        return result != cudaSuccess ? result : cudaEventRecord(before_, cudaStreamPerThread);
    }
    template <class Calls>
    cudaError_t run(Calls const& calls) const {
        cudaError_t result = cudaStreamWaitEvent(cudaStreamPerThread, before_, 0);
        result = result != cudaSuccess ? result : calls();
        return result != cudaSuccess ? result : cudaEventRecord(after_, cudaStreamPerThread);
    }
    [[nodiscard]] cudaError_t end() const { return cudaStreamWaitEvent(cudaStreamPerThread, after_, 0); }
    ~own_streams_joined() {
        for (cudaEvent_t const event : {before_, after_}) {
            if (event != nullptr) {
                cudaEventDestroy(event);
            }
        }
    }
    own_streams_joined() = default;
    own_streams_joined(own_streams_joined const&) = delete;
    own_streams_joined& operator=(own_streams_joined const&) = delete;

private:
    cudaEvent_t before_ = nullptr;
    cudaEvent_t after_ = nullptr;
};

/// Runs `calls()`, which queue work on `stream` and end by cudaPeekAtLastError. An error that is pending on this thread
/// belongs to other code. Read as ours it would fail the call; cleared it would be lost, and it cannot be restored.
/// Each thread has a last error of its own, so in that case the calls run on another thread.
template <class Calls>
cudaError_t apart_from_pending_error(cudaStream_t stream, Calls const& calls) {
    if (cudaPeekAtLastError() == cudaSuccess) {
        return calls();
    }
    int device = 0;
    cudaError_t result = cudaGetDevice(&device);
    own_streams_joined joined;
    bool const own = stream == cudaStreamPerThread;
    result = result == cudaSuccess && own ? joined.begin() : result;
    if (result != cudaSuccess) {
        return result;
    }
    std::thread([&] {
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
        result = cudaSetDevice(device);
        if (result == cudaSuccess) {
            result = own ? joined.run(calls) : calls();
        }
    }).join();
    return result == cudaSuccess && own ? joined.end() : result;
}

}  // namespace optgap
