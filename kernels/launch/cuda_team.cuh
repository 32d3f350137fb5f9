#pragma once
// A warp and a block as Teams. As in every team, a collective is also a barrier: what lanes wrote before it is visible
// to all of them after it. The shuffle, vote and reduce instructions alone do not promise this, hence the __syncwarp
// before each. Integer sums and minima do not depend on the order of the lanes, so the bytes are those of `solo`.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

/// The 32 lanes of one warp. All of them must call every collective.
class warp_team {
public:
    [[nodiscard]] __device__ std::int32_t rank() const { return std::int32_t(threadIdx.x) & 31; }
    [[nodiscard]] __device__ static constexpr std::int32_t size() { return 32; }
    __device__ void sync() const { __syncwarp(); }
    template <class Function>
    __device__ void each(std::int64_t count, Function const& function) const {
        for (std::int64_t i = rank(); i < count; i += size()) {
            function(i);
        }
    }
    [[nodiscard]] __device__ bool all(bool p) const {
        __syncwarp();
        return __all_sync(every_lane, p) != 0;
    }
    [[nodiscard]] __device__ bool any(bool p) const {
        __syncwarp();
        return __any_sync(every_lane, p) != 0;
    }
    /// Wraps like two's complement. A 64-bit sum is split into three parts that cannot overflow the 32-bit reducer:
    /// three instructions instead of ten shuffles.
    template <class T>
    [[nodiscard]] __device__ T sum(T x) const {
        static_assert(std::is_integral_v<T>);
        __syncwarp();
        if constexpr (sizeof(T) <= 4) {
            return T(__reduce_add_sync(every_lane, std::uint32_t(x)));
        } else {
            std::uint64_t const bits = std::uint64_t(x);
            std::uint32_t const low = __reduce_add_sync(every_lane, std::uint32_t(bits) & 0xFFFFu);
            std::uint32_t const middle = __reduce_add_sync(every_lane, std::uint32_t(bits) >> 16);
            std::uint32_t const high = __reduce_add_sync(every_lane, std::uint32_t(bits >> 32));
            return T((std::uint64_t(high) << 32) + (std::uint64_t(middle) << 16) + low);
        }
    }
    [[nodiscard]] __device__ ranked min_by(std::int64_t key, std::int32_t index) const {
        __syncwarp();
        std::uint64_t const order = ordered(key);
        std::uint32_t const high = std::uint32_t(order >> 32);
        std::uint32_t const best_high = __reduce_min_sync(every_lane, high);
        std::uint32_t const low = high == best_high ? std::uint32_t(order) : ~0u;
        std::uint32_t const best_low = __reduce_min_sync(every_lane, low);
        bool const best = high == best_high && std::uint32_t(order) == best_low;
        std::int32_t const best_index = __reduce_min_sync(every_lane, best ? index : INT32_MAX);
        return {unordered(std::uint64_t(best_high) << 32 | best_low), best_index};
    }
    /// -1 - x reverses the order without leaving int64.
    [[nodiscard]] __device__ ranked max_by(std::int64_t key, std::int32_t index) const {
        ranked const found = min_by(~key, index);
        return {~found.key, found.index};
    }
    template <class T>
    [[nodiscard]] __device__ T broadcast(T x, std::int32_t from = 0) const {
        static_assert(std::is_trivially_copyable_v<T>);
        __syncwarp();
        std::uint32_t words[(sizeof(T) + 3) / 4] = {};
        std::memcpy(words, &x, sizeof(T));
        for (std::uint32_t& word : words) {
            word = __shfl_sync(every_lane, word, from);
        }
        std::memcpy(&x, words, sizeof(T));
        return x;
    }
    __device__ std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) const { return atomicOr(word, bits); }

private:
    static constexpr unsigned every_lane = 0xFFFFFFFFu;

    /// Maps int64 to uint64 and keeps the order.
    [[nodiscard]] __device__ static std::uint64_t ordered(std::int64_t key) {
        return std::uint64_t(key) ^ (std::uint64_t(1) << 63);
    }
    [[nodiscard]] __device__ static std::int64_t unordered(std::uint64_t order) {
        return std::int64_t(order ^ (std::uint64_t(1) << 63));
    }
};

/// A warp whose scratch lies in shared memory, whatever its size.
class searching_warp : public warp_team {
public:
    static constexpr bool shared_scratch = true;
};

/// A block of exactly N threads, N a multiple of 32. A reduction runs inside each warp first; the warps' results are
/// combined in `shared`.
template <int N>
class block_team {
    static_assert(N % 32 == 0 && N >= 32 && N <= 1024);

public:
    /// One per block, in shared memory; needs no initial value.
    struct shared {
        alignas(16) unsigned char slot[N / 32][16];
    };

    __device__ explicit block_team(shared& common) : common_(&common) {}

    [[nodiscard]] __device__ std::int32_t rank() const { return std::int32_t(threadIdx.x); }
    [[nodiscard]] __device__ static constexpr std::int32_t size() { return N; }
    __device__ void sync() const { __syncthreads(); }
    template <class Function>
    __device__ void each(std::int64_t count, Function const& function) const {
        for (std::int64_t i = rank(); i < count; i += size()) {
            function(i);
        }
    }
    [[nodiscard]] __device__ bool all(bool p) const { return __syncthreads_and(p) != 0; }
    [[nodiscard]] __device__ bool any(bool p) const { return __syncthreads_or(p) != 0; }
    template <class T>
    [[nodiscard]] __device__ T sum(T x) const {
        return across_warps(warp_.sum(x), [](T a, T b) { return T(std::uint64_t(a) + std::uint64_t(b)); });
    }
    [[nodiscard]] __device__ ranked min_by(std::int64_t key, std::int32_t index) const {
        return across_warps(warp_.min_by(key, index), smaller);
    }
    [[nodiscard]] __device__ ranked max_by(std::int64_t key, std::int32_t index) const {
        return across_warps(warp_.max_by(key, index), larger);
    }
    template <class T>
    [[nodiscard]] __device__ T broadcast(T x, std::int32_t from = 0) const {
        write(x, 0, rank() == from);
        __syncthreads();
        T const result = read<T>(0);
        __syncthreads();
        return result;
    }
    __device__ std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) const { return atomicOr(word, bits); }

private:
    template <class T>
    __device__ void write(T const& x, std::int32_t slot, bool mine) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof common_->slot[0]);
        if (mine) {
            std::memcpy(common_->slot[slot], &x, sizeof(T));
        }
    }
    template <class T>
    [[nodiscard]] __device__ T read(std::int32_t slot) const {
        T x;
        std::memcpy(&x, common_->slot[slot], sizeof(T));
        return x;
    }
    /// The second barrier keeps the next collective's writes out of this one's reads.
    template <class T, class Operation>
    [[nodiscard]] __device__ T across_warps(T x, Operation const& operation) const {
        write(x, rank() / 32, warp_.rank() == 0);
        __syncthreads();
        T result = read<T>(0);
        for (std::int32_t slot = 1; slot < N / 32; ++slot) {
            result = operation(result, read<T>(slot));
        }
        __syncthreads();
        return result;
    }

    shared* common_;
    warp_team warp_;
};

OPTGAP_KERNELS_END
