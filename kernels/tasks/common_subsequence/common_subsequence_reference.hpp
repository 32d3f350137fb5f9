#pragma once
// Oracle for common_subsequence, written from README.md.

#include <algorithm>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::common_subsequence {

using word = std::vector<std::int32_t>;

inline std::vector<word> words_of(std::span<std::int32_t const> words) {
    auto const longest = std::size_t(words[1]);
    std::vector<word> all;
    for (std::size_t i = 0; i < std::size_t(words[0]); ++i) {
        auto const row = words.subspan(3 + i * longest, longest);
        all.emplace_back(row.begin(), std::find(row.begin(), row.end(), 0));
    }
    return all;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    std::int64_t const longest = instance[1];
    std::int64_t const most = instance[0] * longest;
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.shape == answer_shape::rows && !answer.rows.empty()) {
        return worst(code_bad_depth, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 1 || answer.values[i] > instance[2]) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    verdict found{code_ok, -1, std::int64_t(answer.values.size()), 0, most};
    std::vector<word> const words = words_of(instance);
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto next = answer.values.begin();
        for (std::int32_t const letter : words[i]) {
            next += next != answer.values.end() && *next == letter ? 1 : 0;
        }
        std::int64_t const past = answer.values.end() - next;
        if (past > 0 && found.code == code_ok) {
            found = {first_task_code, std::int32_t(i), 0, 0, most};
        }
        found.violation += std::min(past, longest);
    }
    return found;
}

/// Uses the table over all tuples of positions, from the words' ends on; up to 200,000 tuples.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::vector<word> const words = words_of(instance);
    std::vector<std::size_t> stride;
    std::size_t tuples = 1;
    for (word const& each : words) {
        stride.push_back(tuples);
        tuples *= each.size() + 1;
        if (tuples > 200'000) {
            return std::nullopt;
        }
    }
    std::vector<std::int32_t> best(tuples, 0);
    for (std::size_t tuple = tuples; tuple-- > 0;) {
        bool alike = true;
        bool at_end = false;
        std::size_t behind_all = tuple;
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::size_t const place = tuple / stride[i] % (words[i].size() + 1);
            at_end = at_end || place == words[i].size();
            if (place < words[i].size()) {
                best[tuple] = std::max(best[tuple], best[tuple + stride[i]]);
                alike = alike && !at_end && words[i][place] == words[0][tuple % (words[0].size() + 1)];
            }
            behind_all += stride[i];
        }
        if (!at_end && alike) {
            best[tuple] = std::max(best[tuple], 1 + best[behind_all]);
        }
    }
    return best[0];
}

}  // namespace optgap::reference::common_subsequence
