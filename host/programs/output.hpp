#pragma once
// What a program printed, as an answer.
//
// The first byte that is no blank decides. A digit or a minus begins rows: integers separated by blanks. Where the
// task's answers are lists of lists a line is one of them and empty lines are left out; else all lines together are the
// list. Anything else is read by the answer grammar (optgap/format.hpp): a list, a word. A task that knows letters,
// numbers or expressions has its output read by the grammar first, and as rows where that finds no answer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/task_text.hpp"
#include "optgap/engine.hpp"

namespace optgap::programs {

/// Are the task's answers lists of lists?
[[nodiscard]] bool answers_are_rows(task_info const& task);

/// Appends the answer's block to `words`. Linear; any bytes. Codes as parse_answer's: in rows code_not_integer for what
/// begins like a number and is none in its only spelling, code_overflow beyond int32, code_unparsable for anything else
/// behind the answer. code_run_no_output where there is nothing but blanks.
parsed_text read_output(engine const& by, std::int32_t task, std::string_view output, std::vector<std::int32_t>& words);

/// An answer as a program would print it: in the task's own spelling, in rows where they read back to it, else as a
/// list or word.
std::string write_output(task_info const& task, task_text const& text, std::span<std::int32_t const> block);

}  // namespace optgap::programs
