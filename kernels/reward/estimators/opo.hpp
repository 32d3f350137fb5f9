#pragma once
// OPO: rewards less their mean by length.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct opo {
    static constexpr estimator id = estimator::opo;
    static constexpr bool on_device = false;
    static constexpr estimator_info info{.name = "opo",
                                         .formula = "r - sum(length r) / sum(length)",
                                         .source = "OPO, verl",
                                         .reads = {.lengths = true},
                                         .start = {.of_one = lone_row::as_is}};

    OPTGAP_HD static double lone(double reward, group_rule const&) { return reward; }

    template <class Group>
    static void advantages(Group const& group) {
        double const tokens = group.sum([&](std::int64_t k) { return group.length(k); });
        double const weighted =
            group.sum([&](std::int64_t k) { return group.length(k) * double(group.reward(k)); }) / tokens;
        group.write([&](std::int64_t, double r) { return tokens == 0.0 ? 0.0 : r - weighted; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
