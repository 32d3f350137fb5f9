#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace optgap {

/// A rate that a device reaches at best: what a workload's time is judged against.
struct ceiling {
    std::string name;  ///< "copy" (bytes read and bytes written), "integer_add", "read" or "shared_load"
    std::string unit;  ///< "bytes/s" or "operations/s"
    double median = 0;
    std::vector<double> samples;  ///< one per repeat, in the order they were taken
};

/// Measured with device events, after a warm-up, on random data; about a second. Empty without CUDA or without a GPU.
/// Throws error{device_failed} or {out_of_memory} when the GPU fails. Needs 1.5 GiB of device memory, less if less is
/// free.
std::vector<ceiling> measure_ceilings();

/// Of this processor on so many threads: reading memory, copying it, and additions of 32-bit integers in the widest
/// vectors that the engine's code uses (AVX2). About a second; needs 256 MiB a thread.
std::vector<ceiling> measure_cpu_ceilings(std::int32_t threads);

}  // namespace optgap
