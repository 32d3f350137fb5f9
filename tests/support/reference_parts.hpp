#pragma once
// Shared by the slow references of tasks that divide items among parts, independent of kernels/: the rules of all their
// answers, and all divisions.

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference {

struct shared_out {
    std::int64_t number;  ///< the instance's own: parts, or capacity
    std::vector<std::int64_t> sizes;

    explicit shared_out(std::span<std::int32_t const> words)
        : number(words[0]), sizes(words.begin() + 2, words.end()) {}

    [[nodiscard]] std::int64_t total() const { return std::accumulate(sizes.begin(), sizes.end(), std::int64_t(0)); }
    [[nodiscard]] std::int64_t sum(std::vector<std::int32_t> const& items) const {
        std::int64_t all = 0;
        for (std::int32_t const i : items) {
            all += sizes[std::size_t(i)];
        }
        return all;
    }
};

/// The violated rule of an answer up to `repeated`, if any; right_rows(rows) is the condition of wrong_length.
template <class RightRows>
std::optional<verdict> broken_parts(answer_lists const& answer, std::size_t n, std::int64_t most,
                                    RightRows const& right_rows) {
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.rows.empty()) {
        return worst(answer.values.empty() ? code_empty : code_bad_depth, most);
    }
    if (!right_rows(answer.rows)) {
        return worst(code_wrong_length, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || std::size_t(answer.values[i]) >= n) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (!seen.insert(answer.values[i]).second) {
            return worst(code_repeated, most, std::int32_t(i));
        }
    }
    return std::nullopt;
}

/// The minimum of worth(sums) over all divisions into at most `parts` parts, none above `room`. An item goes into a
/// part that has some, or into the first empty one; for at most 14 items.
template <class Worth>
std::optional<std::int64_t> best_parts(shared_out const& on, std::size_t parts, std::int64_t room, Worth const& worth) {
    if (on.sizes.size() > 14) {
        return std::nullopt;
    }
    std::optional<std::int64_t> best;
    std::vector<std::int64_t> sums;
    std::function<void(std::size_t)> const place = [&](std::size_t i) {
        if (best && !sums.empty() && worth(sums) >= *best) {
            return;  // it only grows
        }
        if (i == on.sizes.size()) {
            best = worth(sums);
            return;
        }
        for (std::size_t p = 0; p < sums.size(); ++p) {
            if (sums[p] + on.sizes[i] <= room) {
                sums[p] += on.sizes[i];
                place(i + 1);
                sums[p] -= on.sizes[i];
            }
        }
        if (sums.size() < parts) {
            sums.push_back(on.sizes[i]);
            place(i + 1);
            sums.pop_back();
        }
    };
    place(0);
    return best;
}

}  // namespace optgap::reference
