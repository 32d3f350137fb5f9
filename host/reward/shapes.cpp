// Reward shapes of this build, and what is asked about them. Part of the CUDA library, too: no JSON here.

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/reward/added.hpp"
#include "kernels/reward/shape.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

/// Never freed: specs name its entries as long as the process runs.
auto& added_shapes() {
    static auto* const all = new added_entries<reward_shape, shape_entry, &shape_entry::shape>;
    return *all;
}

}  // namespace

reward_shape add_shape(shape_entry entry) { return added_shapes().add(entry); }

bool is_shape_name(std::string_view name) {
    return std::ranges::any_of(known_shapes(), [&](shape_entry const* known) { return name == known->info->name; });
}

std::vector<shape_entry const*> known_shapes() {
    std::vector<shape_entry const*> out;
    for (shape_entry const& each : listed_shapes()) {
        out.push_back(&each);
    }
    added_shapes().append_to(out);
    return out;
}

shape_entry const& shape_of(reward_shape shape) {
    auto const all = listed_shapes();
    auto const found = std::ranges::find(all, shape, &shape_entry::shape);
    if (found != all.end()) {
        return *found;
    }
    if (shape_entry const* const added = added_shapes().find(shape)) {
        return *added;
    }
    misuse("reward.shape: " + std::to_string(std::int32_t(shape)) + " is no shape of this build");
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
