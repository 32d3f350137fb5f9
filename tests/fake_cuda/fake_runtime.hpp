#pragma once
// Records the calls to the fake CUDA runtime and its live objects, and chooses the call to fail.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace optgap::fake {

/// Every call of the runtime, and every launch, passes here with its name and the stream that it queues work on. Counts
/// the call, and returns its result.
cudaError_t called(char const* name, cudaStream_t stream = nullptr);

class touches;

/// A kernel's launch; `what` runs when the stream reaches it. Fails where the kernel was not allowed that much shared
/// memory (cudaFuncSetAttribute). Counts a kernel that was not loaded before (cudaFuncGetAttributes).
cudaError_t launch(void const* kernel, std::int64_t shared_bytes, cudaStream_t stream,
                   std::function<void(touches&)> what);
/// The device clock in nanoseconds. Only `more` advances it.
std::int64_t card_time(std::int64_t more = 0);
/// The time that each launch waits by that clock before its first row, for the kernels of others.
void set_waiting(std::int64_t nanoseconds);
/// Records how long a launch's blocks last by that clock. The next function returns the longest since its last call.
void note_block(std::int64_t nanoseconds);
std::int64_t longest_block();
/// Records the number of blocks of a launch. The next function returns the sum since the last `forget_calls`.
void note_grid(std::int64_t blocks);
std::int64_t blocks();
/// Makes all kernels unloaded, as in a new process.
void forget_kernels();
std::int64_t launches_that_load();

/// A call of CUB, which ends with cudaPeekAtLastError.
cudaError_t call_cub();
/// A call of CUB that queues work, as the library's callers make it (kernels/launch/pending_error.cuh). `library`
/// identifies the CUB kernels that it runs. The launch loads one that has not run before.
cudaError_t launch_by_cub(void const* kernel, std::vector<void const*> const& library, cudaStream_t stream,
                          std::function<void(touches&)> const& what);
/// The kernels of a sort of pairs.
struct cub_sort {
    char one_block, histogram, exclusive_sum, onesweep;  ///< their addresses identify them

    [[nodiscard]] std::vector<void const*> kernels(std::int64_t rows) const;
    static std::int64_t temporary_bytes(std::int64_t rows);
};
/// The number of launches since the last `forget_calls` that loaded a CUB kernel.
std::int64_t library_loads();
/// Leaves the error of another library's call on this thread for cudaGetLastError.
void leave_error(cudaError_t code);

/// Fails a call after `calls` more. A fault that ends the context fails all later calls, as on a GPU; any other fails
/// one.
void fail_after(std::int64_t calls, cudaError_t code);
/// Makes calls succeed again, as in a new process.
void heal();

/// Calls since the last `forget_calls`, by name.
std::map<std::string, std::int64_t> calls();
std::int64_t all_calls();
/// The streams that work was queued on since the last `forget_calls`.
std::set<cudaStream_t> streams();
void forget_calls();

/// Runs something inside the next launch, once.
void at_next_launch(std::function<void()> what);

/// Sets the CUDA version of the driver; 0: this build's.
void set_driver(int version);
/// Sets the number of GPUs.
void set_devices(int count);
/// Sets the number of multiprocessors of each GPU (default 3).
void set_multiprocessors(int count);
/// The number that a stream's kernels run on: all, or a share's.
int multiprocessors_of(cudaStream_t stream);
/// Returns the GPUs on which this process has a context, and destroys the contexts.
std::set<int> contexts();
void forget_contexts();

/// Simulates another thread that captures a graph in the mode that forbids other threads unsafe calls. Such a call is
/// an error and ends the capture. `end_capture` returns whether the capture lasted until then.
void begin_capture();
bool end_capture();

/// The number of memory blocks, pinned blocks, streams and events that exist.
std::int64_t alive();
/// The bytes of those blocks.
std::int64_t bytes();

}  // namespace optgap::fake
