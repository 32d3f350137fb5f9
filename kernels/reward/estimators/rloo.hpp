#pragma once
// RLOO: a reward less the mean of the others.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct rloo {
    static constexpr estimator id = estimator::rloo;
    static constexpr estimator_preset presets[] = {{"rloo_verl", {.of_one = lone_row::as_is}}};
    static constexpr estimator_info info{
        .name = "rloo", .formula = "(r - m) n / (n - 1)", .source = "Ahmadian et al. 2024", .presets = presets};

    OPTGAP_HD static double lone(double reward, group_rule const&) { return reward; }

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const n = double(group.rows());
        double const mean = group.mean();
        double const factor = n / (n - 1.0);
        group.write([&](std::int64_t, double r) { return (r - mean) * factor; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
