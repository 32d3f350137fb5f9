#pragma once
// Oracle for hamiltonian_path, written from README.md.

#include "tests/support/order_rules.hpp"

namespace optgap::reference::hamiltonian_path {

struct successor_lists {
    std::size_t n;
    std::vector<std::set<std::int32_t>> of;

    explicit successor_lists(std::span<std::int32_t const> words) : n(std::size_t(words[0])), of(n) {
        std::size_t const row = (n + 31) / 32;
        for (std::size_t at = 0; at < n * n; ++at) {
            std::size_t const u = at / n;
            std::size_t const v = at % n;
            if (std::uint32_t(words[1 + u * row + v / 32]) >> (v % 32) & 1u) {
                of[u].insert(std::int32_t(v));
            }
        }
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    successor_lists const successors(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_order(answer, successors.n)) {
        return *broken;
    }
    std::int64_t kept = 0;
    for (std::size_t i = 1; i < successors.n; ++i) {
        kept += std::int64_t(successors.of[std::size_t(answer.values[i - 1])].count(answer.values[i]));
    }
    return {code_ok, -1, kept, 0, instance[0]};
}

/// The most arcs in an order of each set that ends in each of its vertices; up to twelve vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    successor_lists const successors(instance);
    if (successors.n > 12) {
        return std::nullopt;
    }
    std::size_t const sets = std::size_t(1) << successors.n;
    std::vector<std::vector<std::int64_t>> most(sets, std::vector<std::int64_t>(successors.n, 0));
    for (std::size_t set = 1; set < sets; ++set) {
        for (std::size_t last = 0; last < successors.n; ++last) {
            for (std::size_t next = 0; next < successors.n; ++next) {
                if ((set >> last & 1u) != 0 && (set >> next & 1u) == 0) {
                    std::int64_t& own = most[set | std::size_t(1) << next][next];
                    own = std::max(own, most[set][last] + std::int64_t(successors.of[last].count(std::int32_t(next))));
                }
            }
        }
    }
    return *std::max_element(most.back().begin(), most.back().end());
}

}  // namespace optgap::reference::hamiltonian_path
