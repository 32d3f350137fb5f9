#pragma once
// What a page shows of a task: its fields, verdicts, sizes, examples and prompts (tools/family_pages.py).

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "optgap/engine.hpp"

namespace optgap::cli {

/// An object with "layout", "verdicts", "sizes", "examples" and "prompts", empty where the task does not say them.
nlohmann::ordered_json task_page(engine const& by, std::int32_t task);

}  // namespace optgap::cli
