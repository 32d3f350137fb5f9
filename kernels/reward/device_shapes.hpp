#pragma once
// The shapes of this build, chosen by a spec: what kernels call.

#include "generated/shapes.hpp"
#include "kernels/reward/reward.hpp"

OPTGAP_KERNELS_BEGIN

/// The shape that the spec names, for write_shaped_reward: what all shapes share is compiled once.
struct named_shape {
    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        double value = 0.0;
        listed_shape_types::with(spec.shape, [&]<class Shape>(Shape) { value = Shape::value(in, spec); });
        return value;
    }
    OPTGAP_HD static bool totals(double const* component, reward_spec const& spec, double& sum) {
        bool found = false;
        listed_shape_types::with(spec.shape, [&]<class Shape>(Shape) {
            if constexpr (has_total<Shape>) {
                sum = Shape::total(component, spec);
                found = true;
            }
        });
        return found;
    }
    OPTGAP_HD static reward_limits limits(reward_spec const& spec) {
        reward_limits limits{0.0, 1.0};
        listed_shape_types::with(spec.shape, [&]<class Shape>(Shape) { limits = limits_of<Shape>(spec); });
        return limits;
    }
};

OPTGAP_HD inline void write_reward_by_shape(reward_row& row, reward_case const& of, reward_spec const& spec) {
    write_shaped_reward<named_shape>(row, of, spec);
}

OPTGAP_KERNELS_END
