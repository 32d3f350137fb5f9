#pragma once
// Dr. GRPO: rewards less their mean.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct dr_grpo {
    static constexpr estimator id = estimator::dr_grpo;
    static constexpr estimator_preset presets[] = {{"dr_grpo_verl", {.of_one = lone_row::as_is}}};
    static constexpr estimator_info info{
        .name = "dr_grpo", .formula = "r - m", .source = "Liu et al. 2025", .presets = presets};

    OPTGAP_HD static double lone(double reward, group_rule const&) { return reward; }

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const mean = group.mean();
        group.write([&](std::int64_t, double r) { return r - mean; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
