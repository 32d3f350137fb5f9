#pragma once
// The GPU's clock, shared by all its multiprocessors (PTX: %globaltimer).

#include <cstdint>

#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

#ifdef __CUDACC__
/// Writes the time in nanoseconds to host memory. If there are several writers, the last one's time remains.
__device__ inline void note_time(std::int64_t* at) {
    std::int64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    *static_cast<std::int64_t volatile*>(at) = now;
}
#endif

OPTGAP_KERNELS_END
