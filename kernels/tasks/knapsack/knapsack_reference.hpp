#pragma once
// The slow and plain oracle, written from README.md alone.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::knapsack {

struct problem {
    std::int64_t capacity;
    std::vector<std::int64_t> weights;
    std::vector<std::int64_t> values;
};

inline problem read(std::span<std::int32_t const> words) {
    auto const n = std::size_t(words[0]);
    return {words[1],
            {words.begin() + 2, words.begin() + 2 + std::ptrdiff_t(n)},
            {words.begin() + 2 + std::ptrdiff_t(n), words.end()}};
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    problem const given = read(instance);
    std::int64_t total = 0;
    for (std::int64_t weight : given.weights) {
        total += weight;
    }
    std::int64_t const worst = total - given.capacity > 1 ? total - given.capacity : 1;

    std::int32_t const shape = answer_block.empty() ? -1 : answer_block[0];
    if (shape == -2) {
        return {code_unparsable, -1, 0, worst, worst};
    }
    if (shape != -1) {
        return {code_bad_depth, -1, 0, worst, worst};
    }
    std::vector<std::int32_t> const chosen(answer_block.empty() ? answer_block.begin() : answer_block.begin() + 1,
                                           answer_block.end());
    if (chosen.empty()) {
        for (std::size_t i = 0; i < given.weights.size(); ++i) {
            if (given.values[i] > 0 && given.weights[i] <= given.capacity) {
                return {code_empty, -1, 0, worst, worst};
            }
        }
        return {code_ok, -1, 0, 0, worst};
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i] < 0 || std::size_t(chosen[i]) >= given.weights.size()) {
            return {code_out_of_range, std::int32_t(i), 0, worst, worst};
        }
    }
    std::set<std::int32_t> before;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!before.insert(chosen[i]).second) {
            return {code_repeated, std::int32_t(i), 0, worst, worst};
        }
    }
    std::int64_t weight = 0;
    std::int64_t value = 0;
    std::int32_t first_over = -1;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        weight += given.weights[std::size_t(chosen[i])];
        value += given.values[std::size_t(chosen[i])];
        if (weight > given.capacity && first_over < 0) {
            first_over = std::int32_t(i);
        }
    }
    if (weight > given.capacity) {
        return {first_task_code, first_over, 0, weight - given.capacity, worst};  // over_capacity
    }
    return {code_ok, -1, value, 0, worst};
}

/// By a table over the capacity, otherwise by trying every subset of at most 20 items; nullopt if both are too large.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    problem const given = read(instance);
    std::size_t const n = given.weights.size();
    if (given.capacity <= 100'000 && given.capacity * std::int64_t(n) <= 20'000'000) {
        std::vector<std::int64_t> best(std::size_t(given.capacity) + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::int64_t room = given.capacity; room >= given.weights[i]; --room) {
                std::int64_t const with = best[std::size_t(room - given.weights[i])] + given.values[i];
                if (with > best[std::size_t(room)]) {
                    best[std::size_t(room)] = with;
                }
            }
        }
        return best.back();
    }
    if (n > 20) {
        return std::nullopt;
    }
    std::int64_t best = 0;
    for (std::uint32_t set = 0; set < (1u << n); ++set) {
        std::int64_t weight = 0;
        std::int64_t value = 0;
        for (std::size_t i = 0; i < n; ++i) {
            weight += (set >> i) & 1u ? given.weights[i] : 0;
            value += (set >> i) & 1u ? given.values[i] : 0;
        }
        if (weight <= given.capacity && value > best) {
            best = value;
        }
    }
    return best;
}

}  // namespace optgap::reference::knapsack
