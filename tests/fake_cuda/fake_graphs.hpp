#pragma once
// Graphs of the fake CUDA runtime: while a stream captures, what it is given is written down; a launch queues it anew.

#include <cuda_runtime_api.h>

#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::fake {

/// One thing that a stream was given: work, an event to record, or one to wait for.
struct graph_step {
    char const* name = "";
    work what = nullptr;
    cudaEvent_t sets = nullptr;
    cudaEvent_t needs = nullptr;
};

/// Whether the stream captures, and now has the step in its graph.
bool add_to_capture(cudaStream_t stream, graph_step const& step);
bool captures(cudaStream_t stream);
/// The stream's graph, or that of every stream, is lost by a call that a capture forbids: true where there was one.
bool lose_capture(cudaStream_t stream);
bool lose_captures();

/// A handle that stands for another stream on every thread, as the stream of this one.
cudaStream_t resolved(cudaStream_t stream);

}  // namespace optgap::fake
