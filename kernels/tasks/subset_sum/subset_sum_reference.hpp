#pragma once
// The slow and plain oracle, written from README.md alone.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::subset_sum {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const target = instance[1];
    std::vector<std::int64_t> const values(instance.begin() + 2, instance.end());
    std::int64_t total = 0;
    for (std::int64_t const value : values) {
        total += value;
    }
    std::int64_t worst = 1;
    for (std::int64_t const distance : {target, total - target}) {
        worst = distance > worst ? distance : worst;
    }
    std::int32_t const shape = answer_block.empty() ? -1 : answer_block[0];
    if (shape == -2) {
        return {code_unparsable, -1, 0, worst, worst};
    }
    if (shape > 0) {
        return {code_bad_depth, -1, 0, worst, worst};
    }
    std::vector<std::int32_t> chosen;
    for (std::size_t i = 1; i < answer_block.size(); ++i) {
        chosen.push_back(answer_block[i]);
    }
    if (chosen.empty() && (target > 0 || shape == 0)) {
        return {code_empty, -1, 0, worst, worst};
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i] < 0 || chosen[i] >= instance[0]) {
            return {code_out_of_range, std::int32_t(i), 0, worst, worst};
        }
    }
    std::set<std::int32_t> before;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!before.insert(chosen[i]).second) {
            return {code_repeated, std::int32_t(i), 0, worst, worst};
        }
    }
    std::int64_t sum = 0;
    std::int32_t first_beyond = -1;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        sum += values[std::size_t(chosen[i])];
        if (sum > target && first_beyond < 0) {
            first_beyond = std::int32_t(i);
        }
    }
    if (sum != target) {
        return {first_task_code, first_beyond, 0, sum > target ? sum - target : target - sum, worst};
    }
    return {code_ok, -1, std::int64_t(chosen.size()), 0, worst};
}

/// The largest count for every sum of some values, value by value; nullopt if there are more than 200,000 sums, or if
/// none is the target.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::map<std::int64_t, std::int64_t> most{{0, 0}};
    for (std::int32_t const value : instance.subspan(2)) {
        std::map<std::int64_t, std::int64_t> next = most;
        for (auto const& [sum, count] : most) {
            if (sum + value <= instance[1]) {
                std::int64_t& known = next[sum + value];
                known = known < count + 1 ? count + 1 : known;
            }
        }
        most = next;
        if (most.size() > 200'000) {
            return std::nullopt;
        }
    }
    auto const found = most.find(instance[1]);
    return found == most.end() ? std::nullopt : std::optional<std::int64_t>(found->second);
}

}  // namespace optgap::reference::subset_sum
