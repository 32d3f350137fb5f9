#pragma once
// The runtime of this folder's property tests: the stand-in (tests/fake_cuda/resident_runtime.cpp), which checks more
// of each call, or a GPU's own (tests/cuda/resident_runtime.cu). Each test program links one of them.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace optgap::testing::runtime {

/// Called before a test. Returns an empty text, or the reason for having no GPU.
std::string start();
/// Called after a test. Nothing of the test is left then.
void finish();

/// Makes later work run in a random order with this seed. A GPU has a random order of its own: a property test that
/// tries several orders repeats the work as often.
void set_order(std::uint64_t seed);
/// The unordered accesses to the same bytes that were found since the last call. A GPU finds none.
std::vector<std::string> complaints();

/// `calls` queue work on this stream, and on others that the stream then waits for. They must not wait themselves. The
/// stand-in also checks that they allocate nothing. On a GPU the stream is blocked until they have returned, so that a
/// call which waits for it is reported instead of hanging.
void expect_nothing_waits(cudaStream_t stream, std::function<void()> const& calls);

/// Whether calls are counted. The next functions count calls since the last `expect_nothing_waits` or `forget_calls`; a
/// GPU counts none.
bool counts_calls();
std::int64_t calls(char const* name);
std::int64_t all_calls();
void forget_calls();

/// Leaves the error of another library's failed call on this thread for cudaGetLastError.
cudaError_t leave_error();

/// Makes another thread capture a graph, in the mode that forbids other threads unsafe calls. `end` returns whether the
/// capture is intact.
void begin_foreign_capture();
bool end_foreign_capture();

}  // namespace optgap::testing::runtime
