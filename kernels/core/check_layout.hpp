#pragma once
// The entry check of instances whose fields are described by a layout. Host only.

#include <cstdint>
#include <span>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/weighted_graph.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

/// Whether all words lie in low … high.
inline bool all_within(words_view words, std::int64_t low, std::int64_t high) {
    for (std::int64_t i = 0; i < words.count; ++i) {
        if (words.data[i] < low || words.data[i] > high) {
            return false;
        }
    }
    return true;
}

/// Whether the bits past `universe` are zero in every row of `row_words` words.
inline bool all_in_universe(words_view rows, std::int64_t row_words, std::int64_t universe) {
    for (std::int64_t last = row_words - 1; last < rows.count && universe % 32 != 0; last += row_words) {
        if (std::uint32_t(rows.data[last]) >> (universe % 32) != 0) {
            return false;
        }
    }
    return true;
}

/// The number of values in a row of a `lists` field: those before its first 0.
inline std::int64_t list_length(words_view row) {
    std::int64_t length = 0;
    while (length < row.count && row.data[length] != 0) {
        ++length;
    }
    return length;
}

/// Whether each row of `columns` words holds values of low … high followed by zeros only, and at least one row has no
/// zero.
inline bool are_lists(words_view rows, std::int64_t columns, std::int64_t low, std::int64_t high) {
    std::int64_t longest = 0;
    for (std::int64_t at = 0; at < rows.count; at += columns) {
        std::int64_t const length = list_length({rows.data + at, columns});
        if (!all_within({rows.data + at, length}, low, high) ||
            !all_within({rows.data + at + length, columns - length}, 0, 0)) {
            return false;
        }
        longest = length > longest ? length : longest;
    }
    return longest == columns;
}

/// The number of words of the field. `first` is its first word, which is the field's value if it has one.
inline std::int64_t field_words(field const& own, field_values const& values, std::int64_t first) {
    switch (own.kind) {
        case field_kind::list: return values(own.rows);
        case field_kind::table:
        case field_kind::lists: return values(own.rows) * values(own.columns);
        case field_kind::sets: return values(own.rows) * bitset_words(values(own.columns));
        case field_kind::graph: return graph_words(first);
        case field_kind::weighted_graph: return weighted_graph_words(first);
        default: return 1;
    }
}

/// Checks the graph at the start of `words`; the words after it are ignored.
inline char const* check_leading_graph(field const& own, words_view words) {
    bool const weighted = own.kind == field_kind::weighted_graph;
    std::int32_t const n = words.count > 0 ? words.data[0] : 0;
    if (n >= 1 && n <= (weighted ? max_weighted_vertices : max_graph_vertices)) {
        std::int64_t const count = field_words(own, {}, n);
        words.count = count < words.count ? count : words.count;
    }
    return weighted ? check_weighted_graph(words, own.low.plus < 0) : check_graph(words);
}

/// Returns nullptr, or the rule that the words break. A field's rule is also returned when there are too few words for
/// it.
inline char const* check_layout(std::span<field const> layout, words_view words) {
    field_values values;
    std::int32_t vertices = 0;
    words_view before[max_fields] = {};
    for (std::size_t f = 0; f < layout.size(); ++f) {
        field const& own = layout[f];
        if (own.optional && words.count == 0) {
            break;
        }
        if (is_graph(own)) {
            if (char const* const broken = check_leading_graph(own, words)) {
                return broken;
            }
            if (vertices != 0 && words.data[0] != vertices) {
                return "all graphs of an instance have the same n";
            }
            vertices = words.data[0];
        }
        std::int64_t const count = field_words(own, values, words.count > 0 ? words.data[0] : 0);
        words_view const own_words{words.data, count};
        if (own.kind == field_kind::sets && count > max_set_words) {
            return "the sets must have at most 33554432 words, each one for 32 elements";
        }
        if (count > words.count) {
            return own.rule;
        }
        std::int64_t const universe = values(own.columns);
        if (own.kind == field_kind::sets ? !all_in_universe(own_words, bitset_words(universe), universe)
            : own.kind == field_kind::lists
                ? !are_lists(own_words, universe, values(own.low), values(own.high))
                : !is_graph(own) && !all_within(own_words, values(own.low), values(own.high))) {
            return own.rule;
        }
        if (own.replaces >= 0 && !all_within(before[own.replaces], 0, 0)) {
            return own.rule;
        }
        if (has_value(own)) {
            values.set(f, words.data[0]);
        }
        before[f] = own_words;
        words = {words.data + count, words.count - count};
    }
    return words.count == 0 ? nullptr : "there are words after the last field";
}

OPTGAP_KERNELS_END
