#pragma once
// FORGE: the quality itself.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct forge {
    static constexpr reward_shape id = reward_shape::forge;
    static constexpr shape_info info{.name = "forge", .formula = "quality", .source = "FORGE"};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const&) { return in.quality; }
};

}  // namespace shapes
OPTGAP_KERNELS_END
