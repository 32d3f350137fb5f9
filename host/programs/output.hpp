#pragma once
// Reads a program's output as an answer.
//
// The first byte that is not a blank decides. A digit or a minus begins rows: integers separated by blanks. Where the
// task's answers are lists of lists, each line is one list and empty lines are left out; else all lines together are
// the list. Anything else is read by the answer grammar (optgap/format.hpp): a list, a word. For a task with letters,
// numbers or expressions the grammar reads the output first, and rows are tried where it finds no answer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/task_text.hpp"
#include "optgap/engine.hpp"

namespace optgap::programs {

/// Whether the task's answers are lists of lists.
[[nodiscard]] bool answers_are_rows(task_info const& task);

/// Appends the answer's block to `words`. Takes linear time and any bytes. Codes are those of parse_answer. In rows it
/// gives code_not_integer for a number that is not in its only spelling, code_overflow beyond int32, and
/// code_unparsable for anything else after the answer. It gives code_run_no_output for blanks only.
parsed_text read_output(engine const& by, std::int32_t task, std::string_view output, std::vector<std::int32_t>& words);

/// Writes an answer as a program would print it: in the task's own spelling, in rows where they read back to it, else
/// as a list or word.
std::string write_output(task_info const& task, task_text const& text, std::span<std::int32_t const> block);

}  // namespace optgap::programs
