#pragma once
// GRPO: rewards standardised within their group, or by the standard deviation of the whole batch.

#include "kernels/reward/estimator_batch.hpp"
#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct grpo {
    static constexpr estimator id = estimator::grpo;
    static constexpr char const* scales[] = {"group", "batch"};
    static constexpr parameter parameters[] = {{.name = "scale",
                                                .meaning = "whose standard deviation divides",
                                                .kind = parameter_kind::choice,
                                                .at = offsetof(advantage_spec, batch_scale),
                                                .choices = scales}};
    static constexpr estimator_preset presets[] = {
        {"exact", {}},
        {"grpo_verl", {.of_one = lone_row::as_is}},
        {"grpo_slime", {}},
        {"grpo_trl", {.epsilon = 1e-4}},
        {"grpo_trl_batch", {.epsilon = 1e-4, .batch_scale = 1}},
        {"grpo_openrlhf", {.epsilon = 1e-9, .of_one = lone_row::refuse}},
    };
    static constexpr estimator_info info{.name = "grpo",
                                         .formula = "(r - m) / (s1 + epsilon)",
                                         .source = "DeepSeekMath 2024",
                                         .parameters = parameters,
                                         .presets = presets};

    /// What divides instead of a group's s1 + epsilon; 0: nothing does.
    static double constant(std::span<float const> rewards, advantage_spec const& spec) {
        return spec.batch_scale != 0 ? batch_deviation(rewards) + spec.epsilon : 0.0;
    }
    static bool reads_batch(advantage_spec const& spec) { return spec.batch_scale != 0; }

    OPTGAP_HD static double lone(double reward, group_rule const& rule) {
        return reward / (rule.batch != 0.0 ? rule.batch : 1.0 + rule.spec.epsilon);
    }

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const mean = group.mean();
        double const scale = group.batch() != 0.0 ? group.batch() : group.deviation(mean) + group.spec().epsilon;
        group.write([&](std::int64_t, double r) { return (r - mean) / scale; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
