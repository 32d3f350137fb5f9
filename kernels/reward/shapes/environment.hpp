#pragma once
// RLVE: the number that the row's environment gives, unchanged.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct environment {
    static constexpr reward_shape id = reward_shape::environment;
    static constexpr shape_info info{
        .name = "environment",
        .formula = "the reward that the row's environment gives; of any other row 2 * quality - 1",
        .words = "2 * {quality} - 1",
        .source = "RLVE",
        .start = {.format_valid = 0.0, .format_broken = 0.0, .infeasible = -1.0, .grid = 0.0},
        .hands_through = true};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const&) { return 2.0 * in.quality - 1.0; }

    OPTGAP_HD static reward_limits limits(reward_spec const&) { return {-1.0, 1.0}; }
};

}  // namespace shapes
OPTGAP_KERNELS_END
