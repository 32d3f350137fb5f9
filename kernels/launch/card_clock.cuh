#pragma once
// The card's clock, which all its multiprocessors share (PTX: %globaltimer).

#include <cstdint>

#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

#ifdef __CUDACC__
/// Writes the time in nanoseconds to the host's memory. Of several writers the last one's stays.
__device__ inline void note_time(std::int64_t* at) {
    std::int64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    *static_cast<std::int64_t volatile*>(at) = now;
}
#endif

OPTGAP_KERNELS_END
