#pragma once
// Random latin squares, planted in puzzles whose rows and columns hold each value once, and choices of a fixed number
// of items. Runs on one lane.

#include <cstdint>

#include "kernels/core/rng.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

[[nodiscard]] OPTGAP_HD constexpr std::int64_t latin_square_words(std::int64_t n) { return n * n + 3 * n; }

/// Two parallel lines of a square, with cells `step` apart, exchange a shortest part after which each still has every
/// value.
OPTGAP_HD inline void switch_cycle(std::int32_t* a, std::int32_t* b, std::int32_t step, std::int32_t at) {
    std::int32_t const begun = a[at * step];
    for (;;) {
        std::int32_t const taken = b[at * step];
        b[at * step] = a[at * step];
        a[at * step] = taken;
        if (taken == begun) {
            return;
        }
        std::int32_t next = 0;
        while (next == at || a[next * step] != taken) {
            ++next;
        }
        at = next;
    }
}

/// Writes 1 … n into the first n * n of latin_square_words(n) words: a cyclic square with shuffled rows, columns and
/// values, then 2 n^2 switches of cycles. The distribution is not uniform, but far from cyclic.
OPTGAP_HD inline void draw_latin_square(draw_stream& stream, std::int32_t n, std::int32_t* square) {
    std::int32_t* const order = square + n * n;
    for (std::int32_t k = 0; k < 3; ++k) {
        for (std::int32_t i = 0; i < n; ++i) {
            order[k * n + i] = i;
        }
        shuffle(stream, order + k * n, n);
    }
    for (std::int32_t i = 0; i < n * n; ++i) {
        square[i] = 1 + order[2 * n + (order[i / n] + order[n + i % n]) % n];
    }
    for (std::int32_t k = 0; k < 2 * n * n; ++k) {
        std::int32_t const across = k % 2 == 0 ? n : 1;  // distance from one line to the next
        std::int32_t const first = stream.uniform(0, n - 1);
        std::int32_t const second = (first + stream.uniform(1, n - 1)) % n;
        switch_cycle(square + first * across, square + second * across, n + 1 - across, stream.uniform(0, n - 1));
    }
}

/// Calls chosen(i) for `count` of 0 … total-1, in rising order; all choices are equally likely.
template <class Chosen>
OPTGAP_HD void choose_some(draw_stream& stream, std::int32_t total, std::int32_t count, Chosen const& chosen) {
    for (std::int32_t i = 0; i < total && count > 0; ++i) {
        if (stream.uniform(0, total - i - 1) < count) {
            chosen(i);
            --count;
        }
    }
}

}  // namespace families
OPTGAP_KERNELS_END
