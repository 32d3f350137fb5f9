#pragma once
// Oracle for max_cut, written from README.md.

#include <algorithm>

#include "tests/support/reference_labels.hpp"

namespace optgap::reference::max_cut {

struct graph {
    std::int64_t n;
    std::span<std::int32_t const> weights;

    explicit graph(std::span<std::int32_t const> words) : n(words[0]), weights(words.subspan(1)) {}

    [[nodiscard]] std::int64_t cut(std::vector<std::int32_t> const& side) const {
        std::int64_t twice = 0;
        for (std::int64_t u = 0; u < n; ++u) {
            for (std::int64_t v = 0; v < n; ++v) {
                twice += side[std::size_t(u)] != side[std::size_t(v)] ? weights[std::size_t(u * n + v)] : 0;
            }
        }
        return twice / 2;
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    graph const on(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_labels(answer, on.n)) {
        return *broken;
    }
    return {code_ok, -1, on.cut(answer.values), 0, on.n};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    graph const on(instance);
    return best_labels(on.n, [&](std::vector<std::int32_t> const& sides) { return on.cut(sides); });
}

}  // namespace optgap::reference::max_cut
