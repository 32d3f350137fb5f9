// The part of the CUDA runtime that the executor's host code calls, on host memory. With it, and with fake_kernels.hpp
// for the kernels, the executor runs the tests of tests/cuda on machines without a GPU. They check slices, copies,
// scratch, compaction and faults, but not the kernels. Queued work runs as fake_streams.hpp describes.

#include <cuda_runtime_api.h>

#include <cstring>
#include <mutex>
#include <utility>

#include "tests/fake_cuda/fake_graphs.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_state.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace fake = optgap::fake;

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    {
        std::lock_guard const lock(fake::now().lock);
        *version = fake::now().driver != 0 ? fake::now().driver : CUDART_VERSION;
    }
    return fake::called(__func__);
}
cudaError_t cudaGetDeviceCount(int* count) {
    {
        std::lock_guard const lock(fake::now().lock);
        *count = fake::now().devices;
    }
    return fake::called(__func__);
}
cudaError_t cudaGetDevice(int* device) {
    *device = fake::current_device;
    return fake::called(__func__);
}
cudaError_t cudaSetDevice(int device) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        fake::current_device = device;
        fake::use_device();
    }
    return result;
}
/// Not counted, like the two below: they create nothing and cannot fail.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(*mode, fake::capture_mode);
    return cudaSuccess;
}
#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(char const* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
#else
cudaError_t cudaGetDriverEntryPoint(char const* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult*) {
#endif
    return fake::find_in_driver(name, function);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* card, int) {
    *card = cudaDeviceProp{};
    std::strcpy(card->name, "fake device");
    card->major = 9;
    {
        std::lock_guard const lock(fake::now().lock);
        card->multiProcessorCount = fake::now().multiprocessors;
    }
    card->sharedMemPerBlockOptin = 227 << 10;
    card->sharedMemPerMultiprocessor = 228 << 10;
    card->reservedSharedMemPerBlock = 1 << 10;
    return fake::called(__func__);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return fake::called(__func__);
}
cudaError_t cudaDeviceSynchronize() {
    if (fake::lose_captures()) {
        return cudaErrorStreamCaptureUnsupported;
    }
    fake::demand_all();
    return fake::called(__func__);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        *stream = reinterpret_cast<cudaStream_t>(new char);
        fake::open_stream(*stream);
        fake::count_handle(1);
    }
    return result;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    fake::close_stream(stream);
    {
        std::lock_guard const lock(fake::now().lock);
        fake::now().shares.erase(stream);
    }
    delete reinterpret_cast<char*>(stream);
    fake::count_handle(-1);
    return fake::called(__func__);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (fake::lose_capture(stream)) {
        return cudaErrorStreamCaptureUnsupported;
    }
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        fake::demand(stream);
    }
    return result;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned flags) {
    bool const external = flags == cudaEventWaitExternal;
    if (cudaError_t const forbidden = fake::may_wait(stream, handle, external); forbidden != cudaSuccess) {
        return forbidden;
    }
    cudaError_t const result = fake::called(__func__, stream);
    if (result == cudaSuccess && !fake::wait_in_capture(stream, handle, external)) {
        fake::wait(stream, handle);
    }
    return result;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        *handle = reinterpret_cast<cudaEvent_t>(new char);
        fake::open_event(*handle);
        fake::count_handle(1);
    }
    return result;
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    fake::forget_captured(handle);
    fake::close_event(handle);
    delete reinterpret_cast<char*>(handle);
    fake::count_handle(-1);
    return fake::called(__func__);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
    bool const external = flags == cudaEventRecordExternal;
    if (external && !fake::captures(stream)) {
        return cudaErrorInvalidValue;
    }
    cudaError_t const result = fake::called("cudaEventRecord", stream);
    if (result == cudaSuccess && !fake::record_in_capture(handle, stream, external)) {
        fake::record(handle, stream);
    }
    return result;
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    return cudaEventRecordWithFlags(handle, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    if (cudaError_t const forbidden = fake::unsafe(); forbidden != cudaSuccess) {
        return forbidden;
    }
    if (fake::is_captured(handle)) {
        return cudaErrorCapturedEvent;
    }
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        fake::demand(handle);
    }
    return result;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    cudaError_t const result = fake::called(__func__);
    return result != cudaSuccess || fake::elapsed(from, to, *milliseconds) ? result : cudaErrorNotReady;
}
cudaError_t cudaMalloc(void** memory, size_t bytes) { return fake::allocate(__func__, memory, bytes, true); }
cudaError_t cudaFree(void* memory) { return fake::give_back(__func__, memory, true); }
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
    return fake::allocate(__func__, memory, bytes, true);
}
cudaError_t cudaFreeHost(void* memory) { return fake::give_back(__func__, memory, true); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const*) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        *pool = reinterpret_cast<cudaMemPool_t>(new char);
        fake::count_handle(1);
    }
    return result;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    delete reinterpret_cast<char*>(pool);
    fake::count_handle(-1);
    return fake::called(__func__);
}
/// The block is available at once, and is freed when its stream reaches it.
cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t, cudaStream_t) {
    return fake::allocate(__func__, memory, bytes, false);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    fake::demand(stream);
    return fake::give_back(__func__, memory, false);
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    cudaError_t const result = fake::called(__func__, stream);
    if (result == cudaSuccess) {
        (kind == cudaMemcpyDeviceToHost ? fake::download : fake::upload)(
            static_cast<unsigned char*>(to), static_cast<unsigned char const*>(from), bytes, stream);
    }
    return result;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    cudaError_t const result = fake::called(__func__, stream);
    if (result == cudaSuccess) {
        fake::queue("memset", stream, [=](fake::touches& told) {
            told.writes(static_cast<unsigned char*>(to), std::int64_t(bytes));
            std::memset(to, value, bytes);
        });
    }
    return result;
}
/// Not counted, like the next, which cannot fail.
cudaError_t cudaPeekAtLastError() { return fake::pending_error; }
cudaError_t cudaGetLastError() { return std::exchange(fake::pending_error, cudaSuccess); }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int) {
    *value = what == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 227 << 10 : what == cudaDevAttrMemoryPoolsSupported;
    return fake::called(__func__);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel) {
    *attributes = cudaFuncAttributes{};
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        std::lock_guard const lock(fake::now().lock);
        fake::now().loaded.insert(kernel);
    }
    return result;
}
cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute, int value) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        std::lock_guard const lock(fake::now().lock);
        fake::now().shared_bytes[kernel] = value;
    }
    return result;
}
char const* cudaGetErrorString(cudaError_t) { return "a fake error"; }
char const* cudaGetErrorName(cudaError_t) { return "cudaErrorFake"; }

}  // extern "C"
