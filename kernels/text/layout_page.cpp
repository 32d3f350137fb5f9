// Descriptions of layouts for pages.

#include <string>

#include <nlohmann/json.hpp>

#include "kernels/core/check_layout.hpp"
#include "kernels/text/layout_json.hpp"

namespace optgap {
namespace {

constexpr char const* kind_names[] = {"size", "number", "list", "table", "lists", "sets", "graph", "weighted graph"};

/// "n - 1"
std::string amount_text(std::span<field const> layout, amount of) {
    if (of.field < 0) {
        return std::to_string(of.plus);
    }
    field const& earlier = layout[std::size_t(of.field)];
    std::string const name = is_graph(earlier) ? "n" : earlier.name;
    return of.plus == 0 ? name : name + (of.plus < 0 ? " - " : " + ") + std::to_string(std::abs(of.plus));
}

std::string words_text(std::span<field const> layout, field const& own) {
    std::string const rows = amount_text(layout, own.rows);
    std::string const columns = amount_text(layout, own.columns);
    switch (own.kind) {
        case field_kind::list: return rows;
        case field_kind::table:
        case field_kind::lists: return rows + " × " + columns;
        case field_kind::sets: return rows + " × ⌈" + columns + " / 32⌉";
        case field_kind::graph: return "1 + n × ⌈n / 32⌉";
        case field_kind::weighted_graph: return "1 + n × n";
        default: return "1";
    }
}

}  // namespace

json layout_description(std::span<field const> layout) {
    json out = json::array();
    for (field const& own : layout) {
        out.push_back({{"name", own.name},
                       {"kind", std::string(kind_names[std::size_t(own.kind)]) + (own.optional ? ", optional" : "")},
                       {"words", words_text(layout, own)},
                       {"rule", own.rule}});
    }
    return out;
}

json layout_sizes(std::span<field const> layout, words_view instance) {
    json out = json::object();
    field_values values;
    std::int32_t const* at = instance.data;
    for (std::size_t f = 0; f < layout.size(); ++f) {
        field const& own = layout[f];
        std::int64_t const count = field_words(own, values, has_value(own) ? *at : 0);
        if (has_value(own)) {
            values.set(f, *at);
            out[is_graph(own) ? "n" : own.name] = *at;
        }
        at += count;
    }
    return out;
}

}  // namespace optgap
