#pragma once
// The entry check of instances whose fields a layout says. Host only.

#include <cstdint>
#include <span>

#include "kernels/core/graph.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

/// nullptr, or the rule that the words break.
inline char const* check_layout(std::span<field const> layout, words_view words) {
    field_values values;
    std::int64_t at = 0;
    for (std::size_t f = 0; f < layout.size(); ++f) {
        field const& own = layout[f];
        if (own.kind == field_kind::graph) {
            std::int64_t const left = words.count - at;
            std::int32_t const n = left > 0 ? words.data[at] : 0;
            bool const whole = n >= 1 && n <= max_graph_vertices && graph_words(n) <= left;
            if (char const* const broken = check_graph({words.data + at, whole ? graph_words(n) : left})) {
                return broken;
            }
            values.set(f, n);
            at += graph_words(n);
            continue;
        }
        bool const one = own.kind == field_kind::size || own.kind == field_kind::number;
        std::int64_t const count = one ? 1 : values(own.rows) * values(own.columns);
        if (count > words.count - at) {
            return "the words end before the last field";
        }
        for (std::int64_t const end = at + count; at < end; ++at) {
            if (words.data[at] < values(own.low) || words.data[at] > values(own.high)) {
                return own.rule;
            }
        }
        if (one) {
            values.set(f, words.data[at - 1]);
        }
    }
    return at == words.count ? nullptr : "there are words after the last field";
}

OPTGAP_KERNELS_END
