#pragma once
// The state of the fake CUDA runtime, for its source files.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace optgap::fake {

/// Fills allocated memory, since device memory is uninitialised.
constexpr int garbage = 0xA5;

struct state {
    std::mutex lock;
    std::map<std::string, std::int64_t> calls;
    std::set<cudaStream_t> streams;
    std::map<void*, std::size_t> blocks;
    std::int64_t handles = 0;
    std::int64_t until_fault = -1;  ///< calls that still succeed; -1: all
    cudaError_t fault = cudaSuccess;
    cudaError_t ended_by = cudaSuccess;  ///< the error that ended the context
    int driver = 0;
    int devices = 1;
    int multiprocessors = 3;
    std::map<cudaStream_t, int> shares;  ///< streams with multiprocessors of their own, and their number
    std::int64_t unloaded = 0;
    std::int64_t library_loads = 0;
    std::set<int> contexts;
    std::set<void const*> loaded;
    std::map<void const*, std::int64_t> shared_bytes;  ///< the limit of a kernel
    bool capturing = false;
    bool spoiled = false;
    std::function<void()> in_launch;
};

/// Per thread, as in the runtime.
inline thread_local int current_device = 0;
inline thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
inline thread_local cudaError_t pending_error = cudaSuccess;

state& now();
void count_handle(std::int64_t more);
/// For a call that creates a context where there is none.
void use_device();
/// For a call that a capture forbids; returns the error where it is forbidden.
cudaError_t unsafe();
/// Finds a function of the driver; nullptr where it has none of that name.
cudaError_t find_in_driver(char const* name, void** function);
/// `waits`: it may wait for everything queued on the device, as in the runtime.
cudaError_t allocate(char const* name, void** memory, std::size_t bytes, bool waits);
/// Frees memory also in a dead context, whatever it returns, since this memory belongs to the process.
cudaError_t give_back(char const* name, void* memory, bool waits);
void upload(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream);
void download(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream);

}  // namespace optgap::fake
