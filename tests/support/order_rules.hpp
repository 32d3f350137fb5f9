#pragma once
// Shared by the slow references of tasks on orders: the rules of a list that contains 0 … n-1 once, and the best of all
// orders.

#include <algorithm>
#include <numeric>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference {

using int_list = std::vector<std::int32_t>;

inline std::optional<verdict> broken_order(answer_lists const& answer, std::size_t n) {
    auto const most = std::int64_t(n);
    bool const depth = answer.shape == answer_shape::rows && !answer.rows.empty();
    if (answer.shape != answer_shape::word && !depth && !answer.values.empty() && answer.values.size() != n) {
        return worst(code_wrong_length, most);
    }
    return broken_list(answer, most, most, false);
}

/// The minimum or maximum of worth(order) over all orders of 0 … n-1; for at most eight items.
template <class Worth>
std::optional<std::int64_t> best_order(std::size_t n, bool maximise, Worth const& worth) {
    if (n > 8) {
        return std::nullopt;
    }
    int_list order(n);
    std::iota(order.begin(), order.end(), 0);
    std::optional<std::int64_t> best;
    do {
        std::int64_t const own = worth(order);
        if (!best || (maximise ? own > *best : own < *best)) {
            best = own;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

}  // namespace optgap::reference
