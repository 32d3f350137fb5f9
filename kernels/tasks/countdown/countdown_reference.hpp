#pragma once
// Oracle for countdown, written from README.md.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::countdown {

/// The result of a sign, if it is an integer of 1 to 2147483647.
inline std::optional<std::int64_t> combined(std::int64_t a, std::int32_t sign, std::int64_t b) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (sign == -4 && (b == 0 || a % b != 0)) {
        return std::nullopt;
    }
    std::int64_t const value = sign == -1 ? a + b : sign == -2 ? a - b : sign == -3 ? a * b : a / b;
    return value >= 1 && value <= most ? std::optional(value) : std::nullopt;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::vector<std::int32_t> const numbers(instance.begin() + 1, instance.end() - 1);
    auto const most = std::int64_t(numbers.size());
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::rows) {
        return worst(code_bad_depth, most);
    }
    std::int64_t waiting = 0;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        std::int32_t const value = answer.values[i];
        if (value < -4 || (value < 0 && waiting < 2)) {
            return worst(first_task_code, most, std::int32_t(i));
        }
        waiting += value < 0 ? -1 : 1;
    }
    if (waiting != 1) {
        return worst(first_task_code, most);
    }
    std::multiset<std::int32_t> unused(numbers.begin(), numbers.end());
    std::vector<std::int32_t> surplus;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] >= 0) {
            if (auto const found = unused.find(answer.values[i]); found != unused.end()) {
                unused.erase(found);
            } else {
                surplus.push_back(std::int32_t(i));
            }
        }
    }
    if (!surplus.empty()) {
        return {first_task_code + 1, surplus.front(), 0, std::min(std::int64_t(surplus.size()), most), most};
    }
    std::vector<std::int64_t> results;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] >= 0) {
            results.push_back(answer.values[i]);
            continue;
        }
        std::int64_t const right = results.back();
        results.pop_back();
        std::optional<std::int64_t> const value = combined(results.back(), answer.values[i], right);
        if (!value) {
            return {first_task_code + 2, std::int32_t(i), 0, 1, most};
        }
        results.back() = *value;
    }
    return {code_ok, -1, 1 + std::abs(results[0] - instance.back()), 0, most};
}

/// The least distance over the values of all calculations, with each order of each pair tried; up to five numbers.
inline std::int64_t least(std::vector<std::int64_t> const& numbers, std::int64_t target) {
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        best = std::min(best, 1 + std::abs(numbers[i] - target));
        for (std::size_t j = 0; j < numbers.size(); ++j) {
            for (std::int32_t sign = -4; sign < 0 && i != j; ++sign) {
                if (std::optional<std::int64_t> const value = combined(numbers[i], sign, numbers[j])) {
                    std::vector<std::int64_t> rest{*value};
                    for (std::size_t k = 0; k < numbers.size(); ++k) {
                        if (k != i && k != j) {
                            rest.push_back(numbers[k]);
                        }
                    }
                    best = std::min(best, least(rest, target));
                }
            }
        }
    }
    return best;
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::vector<std::int64_t> const numbers(instance.begin() + 1, instance.end() - 1);
    return numbers.size() > 4 ? std::nullopt : std::optional(least(numbers, instance.back()));
}

}  // namespace optgap::reference::countdown
