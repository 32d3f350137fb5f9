#pragma once
// A Team runs a piece of task code: one CPU lane, a warp, a block, or host threads in tests. It offers
//
//   rank() size()            this lane's number, and the number of lanes
//   sync()                   all lanes arrive; earlier writes are visible afterwards
//   each(n, f)               f(i) for i = rank, rank + size, … < n; no sync
//   all(p) any(p)            over the lanes
//   sum(x)                   integers
//   min_by(key, index)       the lane value with the smallest key, ties by smallest index; the same on all lanes
//   max_by(key, index)       the largest key, ties by smallest index
//   broadcast(x, from = 0)   lane `from`'s x on all lanes
//   fetch_or(word, bits)     atomic; returns the old word
//
// and nothing else. All lanes reach every collective; results never depend on the team's size.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN

/// A key with the index that breaks its ties.
struct ranked {
    std::int64_t key;
    std::int32_t index;
};

OPTGAP_HD inline ranked smaller(ranked a, ranked b) {
    return (b.key < a.key || (b.key == a.key && b.index < a.index)) ? b : a;
}
OPTGAP_HD inline ranked larger(ranked a, ranked b) {
    return (b.key > a.key || (b.key == a.key && b.index < a.index)) ? b : a;
}

/// The team of one: everything inlines to plain loops.
struct solo {
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t rank() { return 0; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t size() { return 1; }
    OPTGAP_HD void sync() const {}
    template <class Function>
    OPTGAP_HD void each(std::int64_t count, Function const& function) const {
        for (std::int64_t i = 0; i < count; ++i) {
            function(i);
        }
    }
    [[nodiscard]] OPTGAP_HD bool all(bool p) const { return p; }
    [[nodiscard]] OPTGAP_HD bool any(bool p) const { return p; }
    template <class T>
    [[nodiscard]] OPTGAP_HD T sum(T x) const {
        return x;
    }
    [[nodiscard]] OPTGAP_HD ranked min_by(std::int64_t key, std::int32_t index) const { return {key, index}; }
    [[nodiscard]] OPTGAP_HD ranked max_by(std::int64_t key, std::int32_t index) const { return {key, index}; }
    template <class T>
    [[nodiscard]] OPTGAP_HD T broadcast(T x, std::int32_t = 0) const {
        return x;
    }
    OPTGAP_HD std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) const {
        std::uint32_t const old = *word;
        *word = old | bits;
        return old;
    }
};

OPTGAP_KERNELS_END
