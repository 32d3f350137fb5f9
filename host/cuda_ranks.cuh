#pragma once

#include <span>

#include "host/cuda_device.cuh"
#include "host/executor.hpp"

namespace optgap {

/// executor::ranks on a device: as many groups as fit the arena at a time, one warp each. A group of more
/// than 1024 rows is ranked by sorting, on the CPU: the same bytes, sooner.
void ranks_on(cuda_device& device, rank_inputs const& in, advantage_spec const& spec, std::span<double> out);

}  // namespace optgap
