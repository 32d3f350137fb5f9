#pragma once
// Where quality lies between two anchors of the baseline.

#include "kernels/reward/quality.hpp"
#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct normalized {
    static constexpr reward_shape id = reward_shape::normalized;
    static constexpr char const* names[] = {"floor", "greedy", "baseline"};
    static constexpr char const* in_words[] = {"floor policy", "greedy", "baseline"};
    static constexpr parameter parameters[] = {{.name = "from",
                                                .meaning = "the anchor that earns 0",
                                                .kind = parameter_kind::anchor,
                                                .at = offsetof(reward_spec, from),
                                                .choices = names,
                                                .words = in_words},
                                               {.name = "to",
                                                .meaning = "the anchor that earns 1",
                                                .kind = parameter_kind::anchor,
                                                .at = offsetof(reward_spec, to),
                                                .choices = names,
                                                .words = in_words}};
    static constexpr shape_info info{
        .name = "normalized",
        .formula = "(q - q_from) / (q_to - q_from), clipped to [-1, 1]; where q_to <= q_from: 1 from q_from on, else 0",
        .words = "quality {quality} between {from} and {to}",
        .parameters = parameters};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        return between_anchors(in.quality, anchor_quality(spec.from, in.base, in.direction),
                               anchor_quality(spec.to, in.base, in.direction));
    }

    OPTGAP_HD static reward_limits limits(reward_spec const&) { return {-1.0, 1.0}; }

    static char const* fault(reward_spec const& spec) {
        return spec.from == spec.to ? "reward.from and reward.to: two different anchors are needed" : nullptr;
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
