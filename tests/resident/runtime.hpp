#pragma once
// The runtime that the laws of this folder run on: the stand-in (tests/fake_cuda/resident_runtime.cpp), which asks more
// of each call, or a card's own (tests/cuda/resident_runtime.cu). Each test program links one of them.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace optgap::testing::runtime {

/// Before a test: empty, or why there is no card to run it.
std::string start();
/// Behind a test, with nothing of it left.
void finish();

/// What is queued from now on runs in an order by chance, by this number. A card has an order of its own, by chance as
/// well: a law that tries some asks a card as often.
void set_order(std::uint64_t seed);
/// What was found since the last call: work on the same bytes without an order. A card finds none.
std::vector<std::string> complaints();

/// `calls` queue work on this stream, and on others that it goes on behind. They wait for nothing, and the stand-in
/// sees that they allocate nothing; on a card the stream stands still until they have returned, so that one which waits
/// for it is told, not hung.
void expect_nothing_waits(cudaStream_t stream, std::function<void()> const& calls);

/// Calls of a name since the last `expect_nothing_waits` or `forget_calls` began; a card counts none.
bool counts_calls();
std::int64_t calls(char const* name);
std::int64_t all_calls();
void forget_calls();

/// What another library's failed call leaves on this thread for cudaGetLastError.
cudaError_t leave_error();

/// Another thread captures a graph, in the mode that forbids other threads unsafe calls, until `end` says whether the
/// capture is whole.
void begin_foreign_capture();
bool end_foreign_capture();

}  // namespace optgap::testing::runtime
