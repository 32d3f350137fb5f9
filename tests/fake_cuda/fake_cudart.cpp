// The part of the CUDA runtime that the executor's host code calls, on host memory and at once. With it, and with
// fake_kernels.hpp for the kernels, the executor runs the tests of tests/cuda on machines
// without a GPU: slices, copies, scratch, compaction and faults are checked there, and only the kernels are not.

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include "host/cuda/cuda_try.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"

namespace optgap::fake {

namespace {

/// Device memory comes uninitialised; so does this.
constexpr int garbage = 0xA5;

struct state {
    std::mutex lock;
    std::map<std::string, std::int64_t> calls;
    std::set<cudaStream_t> streams;
    std::map<void*, std::size_t> blocks;
    std::int64_t handles = 0;
    std::int64_t until_fault = -1;  ///< calls that still succeed; -1: all
    cudaError_t fault = cudaSuccess;
    cudaError_t ended_by = cudaSuccess;  ///< the context's end
    int driver = 0;
    int devices = 1;
    std::set<int> contexts;
    bool capturing = false;
    bool spoiled = false;
    std::function<void()> in_launch;
};

/// The calling thread's, as the runtime keeps them.
thread_local int current_device = 0;
thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

state& now() {
    static state the_state;
    return the_state;
}

void count_handle(std::int64_t more) {
    std::lock_guard const lock(now().lock);
    now().handles += more;
}

struct event {
    std::chrono::steady_clock::time_point when;
};

event* event_of(cudaEvent_t handle) { return reinterpret_cast<event*>(handle); }

/// Of a call that makes a context where there is none.
void use_device() {
    std::lock_guard const lock(now().lock);
    now().contexts.insert(current_device);
}

/// A call that a capture forbids; its result where it is forbidden.
cudaError_t unsafe() {
    std::lock_guard const lock(now().lock);
    if (!now().capturing || capture_mode == cudaStreamCaptureModeRelaxed) {
        return cudaSuccess;
    }
    now().spoiled = true;
    return cudaErrorStreamCaptureUnsupported;
}

int primary_context_state(int device, unsigned* flags, int* active) {
    std::lock_guard const lock(now().lock);
    *flags = 0;
    *active = now().contexts.count(device) != 0 ? 1 : 0;
    return 0;
}

cudaError_t allocate(char const* name, void** memory, std::size_t bytes) {
    *memory = nullptr;
    use_device();
    if (cudaError_t const forbidden = unsafe(); forbidden != cudaSuccess) {
        return forbidden;
    }
    cudaError_t const result = called(name);
    if (result != cudaSuccess) {
        return result;
    }
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(*memory, garbage, bytes);
    std::lock_guard const lock(now().lock);
    now().blocks[*memory] = bytes;
    return cudaSuccess;
}

/// Giving back works in a dead context too, whatever it returns: the memory of this process is not the device's.
cudaError_t give_back(char const* name, void* memory) {
    {
        std::lock_guard const lock(now().lock);
        now().blocks.erase(memory);
    }
    std::free(memory);
    use_device();
    cudaError_t const forbidden = unsafe();
    cudaError_t const result = called(name);
    return forbidden != cudaSuccess ? forbidden : result;
}

}  // namespace

void set_driver(int version) {
    std::lock_guard const lock(now().lock);
    now().driver = version;
}

void set_devices(int count) {
    std::lock_guard const lock(now().lock);
    now().devices = count;
}

std::set<int> contexts() {
    std::lock_guard const lock(now().lock);
    return now().contexts;
}

void forget_contexts() {
    std::lock_guard const lock(now().lock);
    now().contexts.clear();
}

void begin_capture() {
    std::lock_guard const lock(now().lock);
    now().capturing = true;
    now().spoiled = false;
}

bool end_capture() {
    std::lock_guard const lock(now().lock);
    now().capturing = false;
    return !now().spoiled;
}

void at_next_launch(std::function<void()> what) {
    std::lock_guard const lock(now().lock);
    now().in_launch = std::move(what);
}

cudaError_t called(char const* name, cudaStream_t stream) {
    state& s = now();
    if (std::string_view(name) == "launch") {
        std::function<void()> what;
        {
            std::lock_guard const lock(s.lock);
            what.swap(s.in_launch);
        }
        if (what) {
            what();
        }
    }
    std::lock_guard const lock(s.lock);
    ++s.calls[name];
    if (stream != nullptr) {
        s.streams.insert(stream);
    }
    if (s.ended_by != cudaSuccess) {
        return s.ended_by;
    }
    if (s.until_fault < 0 || s.until_fault-- > 0) {
        return cudaSuccess;
    }
    if (status_of(s.fault) == status::device_failed) {
        s.ended_by = s.fault;
    }
    return s.fault;
}

void fail_after(std::int64_t calls, cudaError_t code) {
    std::lock_guard const lock(now().lock);
    now().until_fault = calls;
    now().fault = code;
}

void heal() {
    std::lock_guard const lock(now().lock);
    now().until_fault = -1;
    now().ended_by = cudaSuccess;
}

std::map<std::string, std::int64_t> calls() {
    std::lock_guard const lock(now().lock);
    return now().calls;
}

std::int64_t all_calls() {
    std::int64_t sum = 0;
    for (auto const& [name, count] : calls()) {
        sum += count;
    }
    return sum;
}

void forget_calls() {
    std::lock_guard const lock(now().lock);
    now().calls.clear();
    now().streams.clear();
}

std::int64_t alive() {
    std::lock_guard const lock(now().lock);
    return now().handles + std::int64_t(now().blocks.size());
}

std::int64_t bytes() {
    std::lock_guard const lock(now().lock);
    std::int64_t sum = 0;
    for (auto const& [block, size] : now().blocks) {
        sum += std::int64_t(size);
    }
    return sum;
}

std::set<cudaStream_t> streams() {
    std::lock_guard const lock(now().lock);
    return now().streams;
}

}  // namespace optgap::fake

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
/// Not counted, like the two below: they make nothing, and nothing can fail in them.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(*mode, fake::capture_mode);
    return cudaSuccess;
}
#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(char const*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
#else
cudaError_t cudaGetDriverEntryPoint(char const*, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult*) {
#endif
    *function = reinterpret_cast<void*>(&fake::primary_context_state);
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* card, int) {
    *card = cudaDeviceProp{};
    std::strcpy(card->name, "fake device");
    card->major = 9;
    card->multiProcessorCount = 3;
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
cudaError_t cudaDeviceSynchronize() { return fake::called(__func__); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        *stream = reinterpret_cast<cudaStream_t>(new char);
        fake::count_handle(1);
    }
    return result;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete reinterpret_cast<char*>(stream);
    fake::count_handle(-1);
    return fake::called(__func__);
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return fake::called(__func__); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned) { return fake::called(__func__, stream); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned) {
    cudaError_t const result = fake::called(__func__);
    if (result == cudaSuccess) {
        *handle = reinterpret_cast<cudaEvent_t>(new fake::event);
        fake::count_handle(1);
    }
    return result;
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    delete fake::event_of(handle);
    fake::count_handle(-1);
    return fake::called(__func__);
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    fake::event_of(handle)->when = std::chrono::steady_clock::now();
    return fake::called(__func__, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
    cudaError_t const forbidden = fake::unsafe();
    return forbidden != cudaSuccess ? forbidden : fake::called(__func__);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    using wanted = std::chrono::duration<float, std::milli>;
    *milliseconds = wanted(fake::event_of(to)->when - fake::event_of(from)->when).count();
    return fake::called(__func__);
}
cudaError_t cudaMalloc(void** memory, size_t bytes) { return fake::allocate(__func__, memory, bytes); }
cudaError_t cudaFree(void* memory) { return fake::give_back(__func__, memory); }
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) { return fake::allocate(__func__, memory, bytes); }
cudaError_t cudaFreeHost(void* memory) { return fake::give_back(__func__, memory); }
cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
    cudaError_t const result = fake::called(__func__, stream);
    if (result == cudaSuccess) {
        std::memcpy(to, from, bytes);
    }
    return result;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    cudaError_t const result = fake::called(__func__, stream);
    if (result == cudaSuccess) {
        std::memset(to, value, bytes);
    }
    return result;
}
/// Not counted: nothing checks what it returns.
cudaError_t cudaGetLastError() { return cudaSuccess; }
char const* cudaGetErrorString(cudaError_t) { return "a fake error"; }
char const* cudaGetErrorName(cudaError_t) { return "cudaErrorFake"; }

}  // extern "C"
