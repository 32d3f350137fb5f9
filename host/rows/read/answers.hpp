#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/rows/read/row_item.hpp"
#include "optgap/answer.hpp"
#include "optgap/engine.hpp"

namespace optgap {
struct task_text;  // kernels/text/task_text.hpp
}

namespace optgap::rows {

/// Writes an answer block as JSON: a list, a list of lists, one of the task's words as a string, or null when it is
/// empty.
std::string answer_json(std::span<std::int32_t const> block, task_info const& info);

/// Reads a row's `answer`, text or a JSON list, by the answer grammar and appends its block to `words`. Rejects a row
/// without one.
parsed_text read_answer(row_item& item, task_text const& text, std::vector<std::int32_t>& words);

}  // namespace optgap::rows
