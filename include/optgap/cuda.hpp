#pragma once  // Experimental.
// The only public header that includes CUDA's headers. Nothing else of the library needs the toolkit.

#include <cuda_runtime_api.h>

#include "optgap/engine.hpp"

namespace optgap {

/// `options` with all GPU work queued on the caller's stream: behind what the stream already holds, at its priority,
/// one launch after the other. The stream belongs to the device the engine uses and outlives the engine; it must not be
/// capturing a graph during a call. The default stream is cudaStreamLegacy or cudaStreamPerThread, never 0.
inline engine_options on_stream(cudaStream_t stream, engine_options options = {}) {
    options.stream = stream;
    return options;
}

}  // namespace optgap
