#pragma once
// Instances from and to JSON text, for tests. nlohmann-json is slow to compile, so only instance_json.cpp includes it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/task_text.hpp"

namespace optgap::testing {

/// Throws what the task's from_json throws.
std::vector<std::int32_t> read_instance(task_text const& task, std::string_view text);
std::vector<std::int32_t> read_graph(std::string_view text);
std::string write_instance(task_text const& task, words_view instance);

}  // namespace optgap::testing
