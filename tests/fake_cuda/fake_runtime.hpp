#pragma once
// What the fake CUDA runtime was asked for, what of it still lives, and which call it shall fail.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace optgap::fake {

/// Every call of the runtime, and every launch, passes here under its name and with the stream it queues work on:
/// counts it, and says how it ends.
cudaError_t called(char const* name, cudaStream_t stream = nullptr);

class touches;

/// A kernel's launch: `what` runs when the stream comes to it. Fails where the kernel was not allowed so much shared
/// memory (cudaFuncSetAttribute); counts one that was not loaded before (cudaFuncGetAttributes).
cudaError_t launch(void const* kernel, std::int64_t shared_bytes, cudaStream_t stream,
                   std::function<void(touches&)> what);
/// The card's clock in nanoseconds, which stands still but for what is added.
std::int64_t card_time(std::int64_t more = 0);
/// What each launch waits, by that clock, before its first row: for the kernels of others.
void set_waiting(std::int64_t nanoseconds);
/// A launch's blocks last so long by that clock; the longest since the last call.
void note_block(std::int64_t nanoseconds);
std::int64_t longest_block();
/// A launch has so many blocks; the sum since the last `forget_calls`.
void note_grid(std::int64_t blocks);
std::int64_t blocks();
/// Kernels are as in a new process.
void forget_kernels();
std::int64_t launches_that_load();

/// A call of CUB's as it ends: by cudaPeekAtLastError.
cudaError_t call_cub();
/// One that queues work, as the library's callers make it (kernels/launch/pending_error.cuh). `library`: stands for the
/// kernels of CUB's own that it runs, of which one that has not run before is loaded by its launch.
cudaError_t launch_by_cub(void const* kernel, std::vector<void const*> const& library, cudaStream_t stream,
                          std::function<void(touches&)> const& what);
/// Of a sort of pairs.
struct cub_sort {
    char one_block, histogram, exclusive_sum, onesweep;  ///< their addresses stand for them

    [[nodiscard]] std::vector<void const*> kernels(std::int64_t rows) const;
    static std::int64_t temporary_bytes(std::int64_t rows);
};
/// Launches since the last `forget_calls` that loaded a kernel of CUB's.
std::int64_t library_loads();
/// What another library's call leaves on this thread for cudaGetLastError.
void leave_error(cudaError_t code);

/// Fails the call after `calls` more. A fault that ends the context fails all calls from there on, as a GPU's does; any
/// other fails one.
void fail_after(std::int64_t calls, cudaError_t code);
/// Calls succeed again: what a new process finds.
void heal();

/// Calls since the last `forget_calls`, by name.
std::map<std::string, std::int64_t> calls();
std::int64_t all_calls();
/// The streams that work was queued on since then.
std::set<cudaStream_t> streams();
void forget_calls();

/// Runs something inside the next launch, once.
void at_next_launch(std::function<void()> what);

/// The CUDA version that the driver runs; 0: this build's.
void set_driver(int version);
/// How many GPUs there are.
void set_devices(int count);
/// How many multiprocessors each has (3).
void set_multiprocessors(int count);
/// Those that a stream's kernels run on: all, or a share's.
int multiprocessors_of(cudaStream_t stream);
/// The GPUs this process has a context on, and gives them up.
std::set<int> contexts();
void forget_contexts();

/// While another thread captures a graph in the mode that forbids other threads unsafe calls, such a call is an error
/// and ends the capture. True until one did.
void begin_capture();
bool end_capture();

/// Memory blocks, pinned blocks, streams and events that were made and not given back.
std::int64_t alive();
/// Bytes of those blocks.
std::int64_t bytes();

}  // namespace optgap::fake
