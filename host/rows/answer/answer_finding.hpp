#pragma once
// What is wrong with an answer, in words.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/rows/explanation.hpp"
#include "optgap/engine.hpp"

namespace optgap {
struct task_text;  // kernels/text/task_text.hpp
}

namespace optgap::rows {

/// A completion that was graded, with what the grading found. Borrowed.
struct graded_answer {
    task_text const& text;
    std::span<std::int32_t const> instance;
    format_spec const& format;
    parsed_text const& parsed;
    std::int32_t format_code;              ///< with the cut's fault accounted for
    std::span<std::int32_t const> answer;  ///< block
    verdict const& found;                  ///< of the parsed answer; its code is the parser's where none was read
    bool formed, feasible;                 ///< of the row
    std::string_view code;                 ///< the name of found.code
};

/// Why the answer was not read or is not feasible, by the verifier's own sentence; empty where it is feasible.
std::string reason_of(graded_answer const& one);

finding find(graded_answer const& one);

/// What a model may be told of each completion (feedback_text), one entry per text of the request.
std::vector<std::string> feedback_of_answers(engine const& by, grade_request const& request, feedback_level level);

}  // namespace optgap::rows
