// How many words an instance can have, from its fields alone: a short text may announce a graph of a billion vertices.

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

}  // namespace

std::int64_t most_words(std::int32_t task, scanned_object const& found, std::int64_t bytes) {
    task_text const& text = *registry()[std::size_t(task)].text;
    std::int64_t total = 2 * max_fields;
    if (text.layout.empty()) {  // a reader of the task's own: none makes more than two words of a value
        for (std::int32_t i = 0; i < found.count; ++i) {
            total += 2 * found.fields[std::size_t(i)].values;
        }
        return total;
    }
    scanned_field const* const vertices = found.find("n");
    std::int64_t const n = vertices == nullptr ? 0 : std::max<std::int64_t>(0, vertices->number);
    for (field const& own : text.layout) {
        scanned_field const* const list = found.find(own.name);
        if (list == nullptr) {
            continue;
        }
        std::int64_t more = list->values;
        switch (own.kind) {
            case field_kind::graph: more = product(n, bitset_words(n)); break;
            case field_kind::weighted_graph: more = product(n, n); break;
            case field_kind::lists: more = product(list->items, list->longest); break;
            case field_kind::sets: {
                field const* const universe =
                    own.columns.field < 0 ? nullptr : &text.layout[std::size_t(own.columns.field)];
                scanned_field const* const size = universe == nullptr ? nullptr : found.find(universe->name);
                std::int64_t const elements =
                    own.columns.plus + (size == nullptr ? bytes : std::max<std::int64_t>(0, size->number));
                more = product(list->items, bitset_words(elements));
                break;
            }
            default: break;
        }
        total = std::min(far_too_many, total + more);
    }
    return total;
}

}  // namespace optgap::proposals
