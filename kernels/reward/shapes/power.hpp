#pragma once
// RLVE: the quality to a power.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct power {
    static constexpr reward_shape id = reward_shape::power;
    static constexpr parameter parameters[] = {{.name = "exponent",
                                                .meaning = "of the quality",
                                                .kind = parameter_kind::integer,
                                                .at = offsetof(reward_spec, exponent),
                                                .low = 1,
                                                .high = 64}};
    static constexpr shape_info info{
        .name = "power",
        .formula = "quality^exponent",
        .words = "quality ^ {exponent}",
        .source = "RLVE",
        .parameters = parameters,
        .start = {.format_valid = 0.0, .format_broken = -0.5, .infeasible = -0.5, .exponent = 10}};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        double value = 1.0;
        for (std::int32_t i = 0; i < spec.exponent; ++i) {
            value *= in.quality;
        }
        return value;
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
