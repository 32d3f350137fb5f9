#pragma once
// 1 for a right answer.

#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN
namespace shapes {

struct binary {
    static constexpr reward_shape id = reward_shape::binary;
    static constexpr char const* names[] = {"optimal", "feasible"};
    static constexpr char const* in_words[] = {"proven optimal", "feasible"};
    static constexpr parameter parameters[] = {{.name = "rewarded",
                                                .meaning = "which answers are right",
                                                .kind = parameter_kind::choice,
                                                .at = offsetof(reward_spec, binary_feasible),
                                                .choices = names,
                                                .words = in_words}};
    static constexpr shape_info info{.name = "binary",
                                     .formula = "1 when proven optimal, or when feasible; else 0",
                                     .words = "1 when {rewards}",
                                     .source = "the usual verifiable reward",
                                     .parameters = parameters,
                                     .start = {.format_valid = 0.0, .format_broken = 0.0, .infeasible = 0.0}};

    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
        return in.optimal || spec.binary_feasible != 0 ? 1.0 : 0.0;
    }
};

}  // namespace shapes
OPTGAP_KERNELS_END
