#pragma once
// The cost of moving an item in an order of linear_ordering: the entries of the items that it passes.

#include <cstdint>

#include "kernels/families/order/order_moves.hpp"
#include "kernels/tasks/linear_ordering/linear_ordering_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::linear_ordering {

/// The loss is minus the objective.
class passed_entries {
public:
    OPTGAP_HD static constexpr std::int64_t words(words_view) { return 0; }
    OPTGAP_HD passed_entries(words_view instance, std::int32_t*) : matrix_(instance) {}

    template <class Team>
    OPTGAP_HD std::int64_t look(Team& team, std::int32_t const* order) const {
        std::int64_t own = 0;
        team.each(matrix_.n, [&](std::int64_t i) {
            for (std::int32_t j = 0; j < i; ++j) {
                own -= matrix_(order[j], order[i]);
            }
        });
        return team.sum(own);
    }
    template <class Offer>
    OPTGAP_HD void each_place(std::int32_t const* order, std::int32_t from, Offer const& offer) const {
        std::int32_t const item = order[from];
        std::int64_t change = 0;
        for (std::int32_t to = from + 1; to < matrix_.n; ++to) {
            change += matrix_(item, order[to]) - matrix_(order[to], item);
            offer(to, change);
        }
        change = 0;
        for (std::int32_t to = from - 1; to >= 0; --to) {
            change += matrix_(order[to], item) - matrix_(item, order[to]);
            offer(to, change);
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return -loss; }

private:
    matrix_view matrix_;
};

}  // namespace tasks::linear_ordering
OPTGAP_KERNELS_END
