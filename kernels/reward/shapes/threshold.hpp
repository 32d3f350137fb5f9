#pragma once
// Steps of quality.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct threshold {
    static constexpr reward_shape id = reward_shape::threshold;
    static constexpr parameter parameters[] = {{.name = "steps",
                                                .meaning = "pairs [quality, value], qualities rising",
                                                .kind = parameter_kind::steps,
                                                .needed = true}};
    static constexpr shape_info info{.name = "threshold",
                                     .formula = "the value of the highest step reached, 0 below the first",
                                     .words = "the highest of {steps} steps reached",
                                     .parameters = parameters,
                                     .start = {.format_valid = 0.0, .format_broken = 0.0, .infeasible = 0.0}};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        double value = 0.0;
        for (std::int32_t i = 0; i < spec.thresholds && in.quality >= spec.threshold_quality[i]; ++i) {
            value = spec.threshold_value[i];
        }
        return value;
    }

    OPTGAP_HD static reward_limits limits(reward_spec const& spec) {
        reward_limits limits{0.0, 1.0};
        for (std::int32_t i = 0; i < spec.thresholds; ++i) {
            limits.low = spec.threshold_value[i] < limits.low ? spec.threshold_value[i] : limits.low;
            limits.high = i == 0 || spec.threshold_value[i] > limits.high ? spec.threshold_value[i] : limits.high;
        }
        return limits;
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
