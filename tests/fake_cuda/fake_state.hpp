#pragma once
// What the fake CUDA runtime knows, for the files that it is made of.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace optgap::fake {

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
    int multiprocessors = 3;
    std::map<cudaStream_t, int> shares;  ///< streams that have multiprocessors of their own, and how many
    std::int64_t unloaded = 0;
    std::int64_t library_loads = 0;
    std::set<int> contexts;
    std::set<void const*> loaded;
    std::map<void const*, std::int64_t> shared_bytes;  ///< what a kernel may take
    bool capturing = false;
    bool spoiled = false;
    std::function<void()> in_launch;
};

/// The calling thread's, as the runtime keeps them.
inline thread_local int current_device = 0;
inline thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
inline thread_local cudaError_t pending_error = cudaSuccess;

state& now();
void count_handle(std::int64_t more);
/// Of a call that makes a context where there is none.
void use_device();
/// A call that a capture forbids; its result where it is forbidden.
cudaError_t unsafe();
/// A function of the driver's; nullptr: it has none of that name.
cudaError_t find_in_driver(char const* name, void** function);
/// `waits`: as the runtime may, for all that is queued on the device.
cudaError_t allocate(char const* name, void** memory, std::size_t bytes, bool waits);
/// Giving back works in a dead context too, whatever it returns: the memory of this process is not the device's.
cudaError_t give_back(char const* name, void* memory, bool waits);
void upload(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream);
void download(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream);

}  // namespace optgap::fake
