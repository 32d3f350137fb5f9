#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace optgap {

/// A rate that this machine's GPU reaches at best: what a kernel's time is judged against.
struct ceiling {
    std::string name;  ///< "copy", "shared_load", "integer_add"
    std::string unit;  ///< "bytes/s" or "operations/s"
    double median = 0;
    std::vector<double> samples;  ///< one per repeat, in the order they were taken
};

/// Measured with device events, after a warm-up, on random data; about a second. Empty without CUDA or without a GPU.
/// Throws error{device_failed} or {out_of_memory} when the GPU fails. Needs 1.5 GiB of device memory, less if less is
/// free.
std::vector<ceiling> measure_ceilings();

}  // namespace optgap
