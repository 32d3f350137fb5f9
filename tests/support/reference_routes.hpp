#pragma once
// Places of a plane, for the references of the tasks on them. Plain C++, independent of kernels/.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace optgap::reference {

/// Reads [n, limit, x, y of each place, amount of each place, rows of given distances or nothing].
struct routes_plan {
    std::int32_t n;
    std::int64_t limit;
    std::span<std::int32_t const> xy;
    std::span<std::int32_t const> amounts;
    std::span<std::int32_t const> given;

    explicit routes_plan(std::span<std::int32_t const> words)
        : n(words[0]),
          limit(words[1]),
          xy(words.subspan(2, 2 * std::size_t(n))),
          amounts(words.subspan(2 + 2 * std::size_t(n), std::size_t(n))),
          given(words.subspan(2 + 3 * std::size_t(n))) {}

    /// The integer nearest to the root, which is never halfway between two: the least r with (2 r + 1)² > 4 s.
    [[nodiscard]] std::int64_t distance(std::int32_t a, std::int32_t b) const {
        if (!given.empty()) {
            return given[std::size_t(a) * std::size_t(n) + std::size_t(b)];
        }
        std::int64_t const dx = std::int64_t(xy[2 * std::size_t(a)]) - xy[2 * std::size_t(b)];
        std::int64_t const dy = std::int64_t(xy[2 * std::size_t(a) + 1]) - xy[2 * std::size_t(b) + 1];
        std::int64_t const squared = dx * dx + dy * dy;
        auto r = std::int64_t(std::sqrt(double(squared)));
        while (r > 0 && (2 * r - 1) * (2 * r - 1) > 4 * squared) {
            --r;
        }
        while ((2 * r + 1) * (2 * r + 1) <= 4 * squared) {
            ++r;
        }
        return r;
    }
    /// The length from place 0 through the places and back.
    [[nodiscard]] std::int64_t length(std::vector<std::int32_t> const& route) const {
        std::int64_t sum = 0;
        std::int32_t last = 0;
        for (std::int32_t const v : route) {
            sum += distance(last, v);
            last = v;
        }
        return sum + distance(last, 0);
    }
};

}  // namespace optgap::reference
