#pragma once
// Instances as JSON, by the fields of their task's layout (kernels/core/layout.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/layout.hpp"
#include "kernels/text/flat/flat_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

json layout_to_json(std::span<field const> layout, words_view instance);

/// Reads instance words. Throws field_error for a missing or unknown field, a list of the wrong length ("grid[2]") and
/// an integer out of its range ("weights[3]").
std::vector<std::int32_t> layout_from_json(std::span<field const> layout, json const& instance);
std::vector<std::int32_t> layout_from_json(std::span<field const> layout, flat_value const& instance);
/// Like instance_from_json of the library's tree.
std::vector<std::int32_t> instance_from_json(task_text const& task, flat_value const& instance);

/// A description for pages: {"name", "kind", "words" (their number: "n × n"), "rule"} for each field.
json layout_description(std::span<field const> layout);
/// {"n": 24, "signs": 7}: sizes, numbers and a graph's n.
json layout_sizes(std::span<field const> layout, words_view instance);

}  // namespace optgap
