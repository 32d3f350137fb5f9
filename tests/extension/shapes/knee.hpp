#pragma once
// A reward shape of a user's own: half of the quality, and the other half from a quality on.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct knee {
    static constexpr parameter parameters[] = {
        own_number<reward_spec>("at", 0, 0.0, 1.0, "the quality from which the last half is earned")};
    static constexpr shape_info info{
        .name = "knee",
        .formula = "quality / 2, and 1/2 more from a quality on",
        .words = "quality {quality} / 2, and 1/2 more from {at} on",
        .source = "an example",
        .parameters = parameters,
        .start = {.format_valid = 0.0, .format_broken = 0.0, .infeasible = 0.0, .own = {0.9}}};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        return in.quality / 2 + (in.quality >= spec.own[0] ? 0.5 : 0.0);
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
