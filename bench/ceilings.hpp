#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

/// The best rate that a device reaches. A workload's time is compared with it.
struct ceiling {
    /// "copy" (bytes read and bytes written), "integer_add"; for a GPU also "write", "shared_load", and "upload" and
    /// "download" between it and pinned host memory; for a CPU also "read".
    std::string name;
    std::string unit;  ///< "bytes/s" or "operations/s"
    double median = 0;
    std::vector<double> samples;  ///< one per repeat, in the order they were taken
};

/// Measured with device events, after a warm-up, on random data; takes about a second. Empty without CUDA or without a
/// GPU. Throws error{device_failed} or {out_of_memory} when the GPU fails. Needs 1.5 GiB of device memory, less if less
/// is free, and 64 MiB of pinned host memory.
std::vector<ceiling> measure_ceilings();

/// Measures this processor on `threads` threads: reading memory, copying it, and adding 32-bit integers in the widest
/// vectors that the engine's code uses (AVX2). Takes about a second and 256 MiB a thread.
std::vector<ceiling> measure_cpu_ceilings(std::int32_t threads);

/// The ceilings that limit an engine's rows: those of its GPU, and "read" of the host, which parses the texts; without
/// a GPU all of the CPU's.
std::vector<ceiling> ceilings_of(engine const& by);

}  // namespace optgap
