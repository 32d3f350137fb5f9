#pragma once
// What the registry of shapes holds of each: its declaration, and its loops for the host.

#include <algorithm>
#include <vector>

#include "kernels/reward/declarations.hpp"
#include "kernels/reward/reward.hpp"
#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN

/// Is it the usual spec in what has a branch of its own, whatever the shape?
inline bool asks_little(reward_spec const& spec) {
    return spec.infeasible_mode == infeasible_reward::flat && spec.truncated == truncation::penalise &&
           spec.length_factor <= 0.0 && spec.format_gates != 0 && spec.range_low == spec.range_high;
}

/// Of a spec that asks little these answers are constants, and the loop is without the questions.
template <class Shape, bool Little>
[[gnu::flatten]] void write_rows_by(reward_inputs const& in, sense const* direction, reward_spec const& given,
                                    reward_row* out, std::int64_t begin, std::int64_t end) {
    reward_inputs const from = in;
    reward_spec spec = given;
    if constexpr (Little) {
        spec.infeasible_mode = infeasible_reward::flat;
        spec.truncated = truncation::penalise;
        spec.length_factor = 0.0;
        spec.format_gates = 1;
        spec.range_low = spec.range_high = 0.0;
    }
    for (std::int64_t r = begin; r < end; ++r) {
        std::int32_t const i = from.instance_of[r];
        finish const how = from.finished == nullptr ? finish::unknown : from.finished[r];
        std::int32_t const length = from.length == nullptr ? 0 : from.length[r];
        write_shaped_reward<one_shape<Shape>>(out[r],
                                              {from.verdicts[r], from.format_code[r], how, length, from.baselines[i],
                                               direction[std::size_t(from.task[i])], from.zero},
                                              spec);
    }
}

template <class Shape>
void write_rows(reward_inputs const& in, sense const* direction, reward_spec const& spec, reward_row* out,
                std::int64_t begin, std::int64_t end) {
    (asks_little(spec) ? write_rows_by<Shape, true> : write_rows_by<Shape, false>)(in, direction, spec, out, begin,
                                                                                   end);
}

template <class Shape>
shape_entry shape_entry_of(reward_shape shape) {
    shape_entry entry{
        &Shape::info,    shape, has_total<Shape>, write_rows<Shape>, write_shaped_reward<one_shape<Shape>>,
        limits_of<Shape>};
    if constexpr (requires { Shape::fault; }) {
        entry.fault = Shape::fault;
    }
    return entry;
}

template <class List>
std::vector<shape_entry> shape_entries() {
    std::vector<shape_entry> out;
    List::each([&]<class Shape>(Shape, reward_shape shape) { out.push_back(shape_entry_of<Shape>(shape)); });
    std::ranges::sort(out, {}, &shape_entry::shape);
    return out;
}

OPTGAP_KERNELS_END
