#pragma once
// Chains on the GPU: a plain function that queues a kernel over device memory. What a row is worth is row.hpp, which
// any team runs. No executor calls it yet: texts are made ready, and their bitmaps, on the host.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/chain/row.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// Every pointer, those inside of views and rows too, is the device's.
struct chain_batch {
    chain::chain_row const* rows;
    std::int64_t count;
    chain::chain_view const* chains;
    chain::point_table table;
};

[[nodiscard]] cudaError_t launch_chains(cudaStream_t stream, device_limits const& limits, chain_batch const& batch);

/// Has the driver load it.
[[nodiscard]] cudaError_t load_chain_kernel();

}  // namespace optgap
