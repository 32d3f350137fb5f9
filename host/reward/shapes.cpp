// Reward shapes of this build, and what is asked about them. Part of the CUDA library, too: no JSON here.

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/reward/shape.hpp"
#include "optgap/status.hpp"

namespace optgap {

shape_entry const& shape_of(reward_shape shape) {
    auto const all = listed_shapes();
    auto const found = std::ranges::find(all, shape, &shape_entry::shape);
    if (found == all.end()) {
        misuse("reward.shape: " + std::to_string(std::int32_t(shape)) + " is no shape of this build");
    }
    return *found;
}

bool is_known(reward_shape shape) {
    return std::ranges::find(listed_shapes(), shape, &shape_entry::shape) != listed_shapes().end();
}

bool reads_anchor(reward_spec const& spec, anchor which) {
    return std::ranges::any_of(shape_of(spec.shape).info->parameters, [&](parameter const& each) {
        anchor found = anchor::floor;
        if (each.kind == parameter_kind::anchor) {
            std::memcpy(&found, reinterpret_cast<char const*>(&spec) + each.at, sizeof found);
        }
        return each.kind == parameter_kind::anchor && found == which;
    });
}

}  // namespace optgap
