#pragma once
// A sum of components, instead of all else.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct weighted {
    static constexpr reward_shape id = reward_shape::weighted;
    static constexpr parameter parameters[] = {{.name = "weights",
                                                .meaning = "of the row's components",
                                                .kind = parameter_kind::components,
                                                .at = offsetof(reward_spec, weight),
                                                .needed = true}};
    static constexpr shape_info info{.name = "weighted",
                                     .formula = "the whole reward is the sum of weight * component",
                                     .parameters = parameters,
                                     .start = {.format_valid = 0.0, .format_broken = 0.0, .infeasible = 0.0}};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const&) { return in.quality; }

    OPTGAP_HD static double total(double const* component, reward_spec const& spec) {
        double sum = 0.0;
        for (std::int32_t i = 0; i < component_count; ++i) {
            sum += spec.weight[i] * component[i];
        }
        return sum;
    }

    OPTGAP_HD static reward_limits limits(reward_spec const& spec) {
        reward_limits limits{0.0, 0.0};
        for (std::int32_t i = 0; i < component_count; ++i) {
            double const least = i == component_normalized ? -spec.weight[i] : 0.0;
            limits.low += spec.weight[i] < least ? spec.weight[i] : least;
            limits.high += spec.weight[i] > least ? spec.weight[i] : least;
        }
        return limits;
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
