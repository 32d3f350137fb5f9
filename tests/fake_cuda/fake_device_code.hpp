#pragma once
// Device code as C++: one host thread per lane. Code that lets lanes diverge around a collective hangs here, too. Code
// that omits a barrier races, which ThreadSanitizer detects. Include it before any .cuh. Shared memory: only `extern
// __shared__` arrays.

#include <cuda_runtime_api.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#undef __device__
#undef __host__
#undef __global__
#undef __shared__
#undef __align__
#undef __launch_bounds__
#define __device__
#define __host__
#define __global__
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

namespace optgap::fake {

struct index {
    unsigned x = 0;
};

/// The meeting point of a warp's lanes, or of a block's threads. `sync` orders memory. `exchange` does not, like the
/// warp's shuffles, votes and reductions: each value carries its round in one relaxed atomic word, so that
/// ThreadSanitizer reports code that relies on an order that only a __syncwarp gives. Two buffers suffice: a writer of
/// round r + 2 has seen every r + 1, and all had read r by then.
class meeting {
public:
    explicit meeting(int lanes)
        : arrive_(lanes),
          round_(static_cast<std::size_t>(lanes)),
          slot_{std::vector<std::atomic<std::uint64_t>>(static_cast<std::size_t>(lanes)),
                std::vector<std::atomic<std::uint64_t>>(static_cast<std::size_t>(lanes))} {}

    void sync() { arrive_.arrive_and_wait(); }
    /// Folds all lanes' values in the order of the lanes.
    template <class Operation>
    std::uint32_t exchange(std::size_t lane, std::uint32_t x, Operation const& operation) {
        std::uint32_t const round = ++round_[lane];
        std::vector<std::atomic<std::uint64_t>>& slot = slot_[round % 2];
        slot[lane].store(std::uint64_t(round) << 32 | x, std::memory_order_relaxed);
        std::uint32_t result = read(slot[0], round);
        for (std::size_t k = 1; k < slot.size(); ++k) {
            result = operation(result, read(slot[k], round), k);
        }
        return result;
    }

private:
    static std::uint32_t read(std::atomic<std::uint64_t> const& slot, std::uint32_t round) {
        std::uint64_t seen = slot.load(std::memory_order_relaxed);
        while (seen >> 32 != round) {
            std::this_thread::yield();
            seen = slot.load(std::memory_order_relaxed);
        }
        return std::uint32_t(seen);
    }

    std::barrier<> arrive_;
    std::vector<std::uint32_t> round_;
    std::vector<std::atomic<std::uint64_t>> slot_[2];
};

inline thread_local meeting* my_warp = nullptr;
inline thread_local meeting* my_block = nullptr;

}  // namespace optgap::fake

inline thread_local optgap::fake::index threadIdx;
inline thread_local optgap::fake::index blockIdx;
inline thread_local optgap::fake::index blockDim;
inline thread_local optgap::fake::index gridDim;

namespace optgap::fake {

template <class Operation>
std::uint32_t across_warp(std::uint32_t x, Operation const& operation) {
    return my_warp->exchange(threadIdx.x % 32, x,
                             [&](std::uint32_t a, std::uint32_t b, std::size_t) { return operation(a, b); });
}
template <class Operation>
std::uint32_t across_block(std::uint32_t x, Operation const& operation) {
    my_block->sync();
    std::uint32_t const result = my_block->exchange(
        threadIdx.x, x, [&](std::uint32_t a, std::uint32_t b, std::size_t) { return operation(a, b); });
    my_block->sync();
    return result;
}
inline std::uint32_t both(std::uint32_t a, std::uint32_t b) { return a & b; }
inline std::uint32_t either(std::uint32_t a, std::uint32_t b) { return a | b; }

}  // namespace optgap::fake

inline void __syncwarp() { optgap::fake::my_warp->sync(); }
inline void __syncthreads() { optgap::fake::my_block->sync(); }
inline std::uint32_t __shfl_sync(unsigned, std::uint32_t x, int from) {
    return optgap::fake::my_warp->exchange(
        threadIdx.x % 32, x,
        [&](std::uint32_t a, std::uint32_t b, std::size_t lane) { return lane == std::size_t(from) ? b : a; });
}
inline std::uint32_t __reduce_add_sync(unsigned, std::uint32_t x) {
    return optgap::fake::across_warp(x, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
inline std::uint32_t __reduce_min_sync(unsigned, std::uint32_t x) {
    return optgap::fake::across_warp(x, [](std::uint32_t a, std::uint32_t b) { return b < a ? b : a; });
}
inline std::int32_t __reduce_min_sync(unsigned, std::int32_t x) {
    return std::int32_t(optgap::fake::across_warp(
        std::uint32_t(x), [](std::uint32_t a, std::uint32_t b) { return std::int32_t(b) < std::int32_t(a) ? b : a; }));
}
inline int __all_sync(unsigned, bool p) { return int(optgap::fake::across_warp(p, optgap::fake::both)); }
inline int __any_sync(unsigned, bool p) { return int(optgap::fake::across_warp(p, optgap::fake::either)); }
inline int __syncthreads_and(bool p) { return int(optgap::fake::across_block(p, optgap::fake::both)); }
inline int __syncthreads_or(bool p) { return int(optgap::fake::across_block(p, optgap::fake::either)); }
inline std::int32_t atomicAdd(std::int32_t* word, std::int32_t more) {
    return std::atomic_ref<std::int32_t>(*word).fetch_add(more);
}
inline std::uint32_t atomicOr(std::uint32_t* word, std::uint32_t bits) {
    return std::atomic_ref<std::uint32_t>(*word).fetch_or(bits);
}

/// kernels/launch/card_clock.cuh
inline void note_time(std::int64_t* at) {
    static std::atomic<std::int64_t> now{0};
    std::atomic_ref<std::int64_t>(*at).store(++now, std::memory_order_relaxed);
}

namespace optgap::fake {

/// Runs `work()` on every thread of one block.
template <class Work>
void run_block(int warps, Work const& work) {
    meeting block(32 * warps);
    std::vector<std::unique_ptr<meeting>> meetings;
    for (int warp = 0; warp < warps; ++warp) {
        meetings.push_back(std::make_unique<meeting>(32));
    }
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < unsigned(32 * warps); ++thread) {
        threads.emplace_back([&, thread] {
            threadIdx.x = thread;
            blockIdx.x = 0;
            blockDim.x = unsigned(32 * warps);
            gridDim.x = 1;
            my_warp = meetings[thread / 32].get();
            my_block = &block;
            work();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace optgap::fake
