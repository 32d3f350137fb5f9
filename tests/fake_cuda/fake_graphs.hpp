#pragma once
// Graphs of the fake CUDA runtime. While a stream captures, its work is recorded; a launch queues it again. A stream
// that waits for an event of the capture joins it, and must be waited for before the capture ends.

#include <cuda_runtime_api.h>

#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::fake {

/// One thing that a stream was given: work, an event to record, or one to wait for.
struct graph_step {
    char const* name = "";
    work what = nullptr;
    cudaEvent_t sets = nullptr;
    cudaEvent_t needs = nullptr;
    bool is_place = false;      ///< the event marks a place in the graph; else it is external
    cudaStream_t on = nullptr;  ///< the stream of the capture that was given it
};

/// Adds the step to the stream's graph. Returns whether the stream captures.
bool add_to_capture(cudaStream_t stream, graph_step const& step);
bool captures(cudaStream_t stream);
/// The result of a wait for the event: an error where only one of the two belongs to a capture.
cudaError_t may_wait(cudaStream_t stream, cudaEvent_t event, bool external);
/// Whether the wait or record belongs to a capture; the stream then joins the event's capture.
bool wait_in_capture(cudaStream_t stream, cudaEvent_t event, bool external);
bool record_in_capture(cudaEvent_t event, cudaStream_t stream, bool external);
/// Whether the event was last recorded in a capture, so that nothing can wait for its end.
bool is_captured(cudaEvent_t event);
void forget_captured(cudaEvent_t event);
/// Ends the stream's capture, or those of every stream, because of a forbidden call. Returns true where there was one.
bool lose_capture(cudaStream_t stream);
bool lose_captures();

/// Resolves a handle that means another stream on each thread to this thread's stream.
cudaStream_t resolved(cudaStream_t stream);

}  // namespace optgap::fake
