#pragma once
// Shared by the slow references of tasks with a label for each item, independent of kernels/: the rules of their lists,
// and the trial of all lists.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference {

/// The violated rule of an answer that must be `n` zeros and ones, if any.
inline std::optional<verdict> broken_labels(answer_lists const& answer, std::int64_t n) {
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, n);
    }
    if (!answer.rows.empty()) {
        return worst(code_bad_depth, n);
    }
    if (answer.values.empty()) {
        return worst(code_empty, n);
    }
    if (std::int64_t(answer.values.size()) != n) {
        return worst(code_wrong_length, n);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] != 0 && answer.values[i] != 1) {
            return worst(code_out_of_range, n, std::int32_t(i));
        }
    }
    return std::nullopt;
}

/// The maximum of worth(labels), at least -1, by trying all labels; for at most 14 items.
template <class Worth>
std::optional<std::int64_t> best_labels(std::int64_t n, Worth const& worth) {
    if (n > 14) {
        return std::nullopt;
    }
    std::int64_t best = -1;
    std::vector<std::int32_t> labels(std::size_t(n), 0);
    for (std::uint32_t set = 0; set < 1u << n; ++set) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = std::int32_t(set >> i & 1u);
        }
        std::int64_t const own = worth(labels);
        best = own > best ? own : best;
    }
    return best;
}

}  // namespace optgap::reference
