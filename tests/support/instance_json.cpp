#include "tests/support/instance_json.hpp"

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/text/layout_json.hpp"

namespace optgap::testing {

std::vector<std::int32_t> read_instance(task_text const& task, std::string_view text) {
    return instance_from_json(task, json::parse(text));
}

std::vector<std::int32_t> read_graph(std::string_view text) {
    return layout_from_json(graph_layout, json::parse(text));
}

std::string write_instance(task_text const& task, words_view instance) {
    return instance_to_json(task, instance).dump();
}

}  // namespace optgap::testing
