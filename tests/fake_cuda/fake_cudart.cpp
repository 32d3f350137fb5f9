// The part of the CUDA runtime that the executor's host code calls, on host memory and at once. With it, and with
// fake_kernels.hpp for the kernels, cuda_executor.cu is compiled as C++ and runs the tests of tests/cuda on machines
// without a GPU: slices, copies, scratch and compaction are checked there, and only the kernels are not.

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

namespace {

/// Device memory comes uninitialised; so does this.
constexpr int garbage = 0xA5;

/// Handles are never looked into.
template <class Handle>
Handle some_handle() {
    static int anchor = 0;
    return reinterpret_cast<Handle>(&anchor);
}

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* card, int) {
    *card = cudaDeviceProp{};
    std::strcpy(card->name, "fake device");
    card->major = 9;
    card->multiProcessorCount = 3;
    card->sharedMemPerBlockOptin = 227 << 10;
    card->sharedMemPerMultiprocessor = 228 << 10;
    card->reservedSharedMemPerBlock = 1 << 10;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    *stream = some_handle<cudaStream_t>();
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = some_handle<cudaEvent_t>();
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaMalloc(void** memory, size_t bytes) {
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    std::memset(*memory, garbage, bytes);
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) { return cudaMalloc(memory, bytes); }
cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
    std::memset(to, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
char const* cudaGetErrorString(cudaError_t) { return "a fake error"; }
char const* cudaGetErrorName(cudaError_t) { return "cudaErrorFake"; }

}  // extern "C"
