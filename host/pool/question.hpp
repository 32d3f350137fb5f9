#pragma once
// Questions in free text as entries of a pool, beside the problems of tasks. An entry of a question has the text's
// bytes as its words and a reference's bytes as its answer; no proof stands behind it. docs/coevolution.md.

#include <cstdint>
#include <string>
#include <string_view>

#include "host/pool/entry.hpp"

namespace optgap::pool {

/// The name under which a pool keeps questions; no task has it.
inline constexpr std::string_view question_task = "question";
inline constexpr std::size_t max_question_bytes = 16'384;  ///< of a question, and of its reference

[[nodiscard]] inline bool is_question(entry const& one) { return one.task == question_task; }

struct question {
    std::string text;
    std::string reference;  ///< a known answer; empty: none
};
/// The entry of a question, without blanks around its texts. Throws field_error{"question"} or {"reference"} for an
/// empty or too long text, one that is not UTF-8, and one with hidden characters or with marks by which a chat
/// template or a role's parser would take it for something else.
[[nodiscard]] entry question_entry(question const& of);
[[nodiscard]] question question_of(entry const& one);
/// A sentence on what is wrong with the entry of a question; empty: nothing.
[[nodiscard]] std::string fault_of_question(entry const& one);

/// The words by which questions are compared, one blank between two: runs of letters and digits with ASCII letters in
/// lower case, and every other character alone, but for `.,;:?"'` and backticks that do not stand between two digits.
[[nodiscard]] std::string words_of_question(std::string_view text);

}  // namespace optgap::pool
