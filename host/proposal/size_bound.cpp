// Bounds the words of an instance by its fields alone: a short text may announce a graph of a billion vertices.

#include <algorithm>

#include "host/proposal/reading.hpp"
#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/weighted_graph.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap::proposals {
namespace {

constexpr std::int64_t far_too_many = std::int64_t(1) << 62;

std::int64_t product(std::int64_t a, std::int64_t b) { return b > 0 && a > far_too_many / b ? far_too_many : a * b; }

/// An announced size, clamped; 0 where it is no integer.
std::int64_t size_said(std::optional<flat_value> const& value) {
    return value && value->is_integer() ? std::clamp<std::int64_t>(value->integer(), 0, std::int64_t(1) << 31) : 0;
}

/// The length of the longest list in a list of lists.
std::int64_t longest_of(flat_value const& lists) {
    std::size_t most = 0;
    for (flat_value const list : lists) {
        most = std::max(most, list.size());
    }
    return std::int64_t(most);
}

}  // namespace

std::int64_t max_words(std::int32_t task, flat_value const& instance) {
    task_text const& text = *registry()[std::size_t(task)].text;
    if (text.layout.empty()) {  // the task's own reader makes at most two words from a value
        return 2 * max_fields + 2 * instance.values();
    }
    std::int64_t total = 2 * max_fields;
    std::int64_t const n = size_said(instance.find("n"));
    for (field const& own : text.layout) {
        std::optional<flat_value> const list = instance.find(own.name);
        if (!list) {
            continue;
        }
        std::int64_t const items = list->is_array() ? std::int64_t(list->size()) : 0;
        std::int64_t more = list->values();
        switch (own.kind) {
            case field_kind::graph: more = product(n, bitset_words(n)); break;
            case field_kind::weighted_graph: more = product(n, n); break;
            case field_kind::lists: more = list->is_array() ? product(items, longest_of(*list)) : 0; break;
            case field_kind::sets: {
                field const* const universe =
                    own.columns.field < 0 ? nullptr : &text.layout[std::size_t(own.columns.field)];
                auto const size = universe == nullptr ? std::nullopt : instance.find(universe->name);
                std::int64_t const elements =
                    own.columns.plus + (size ? size_said(size) : std::int64_t(instance.raw().size()));
                more = product(items, bitset_words(elements));
                break;
            }
            default: break;
        }
        total = std::min(far_too_many, total + more);
    }
    return total;
}

}  // namespace optgap::proposals
