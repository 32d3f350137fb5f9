#pragma once
// Oracle for sorting, written from README.md.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::sorting {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::multiset<std::int32_t> const sorted(instance.begin() + 1, instance.begin() + 1 + instance[0]);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_numbers(answer, sorted.size(), 0, 1'000'000)) {
        return *broken;
    }
    std::int64_t right = 0;
    for (std::int32_t const value : sorted) {
        if (answer.values[std::size_t(right)] != value) {
            break;
        }
        ++right;
    }
    return {code_ok, -1, right, 0, std::int64_t(sorted.size())};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) { return instance[0]; }

}  // namespace optgap::reference::sorting
