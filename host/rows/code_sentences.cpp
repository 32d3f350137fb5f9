// What codes that several kinds of rows share mean, in words.

#include <fmt/format.h>

#include "host/rows/explanation.hpp"
#include "optgap/verdict.hpp"

namespace optgap::rows {

std::string sentence_for(std::int32_t code, format_spec const& format) {
    switch (code) {
        case code_format_missing_reasoning:
            return format.markers.empty()
                       ? "there is no reasoning part before the answer"
                       : fmt::format("there is no non-empty reasoning part {}...{} before the answer",
                                     format.opened_in_prompt ? "" : format.markers[0].open, format.markers[0].close);
        case code_format_missing_answer:
            switch (format.place) {
                case answer_place::boxed: return "there is no \\boxed{...}";
                case answer_place::line: return "there is no \"Answer:\"";
                case answer_place::fenced: return "there is no complete fenced block";
                default: return fmt::format("there is no answer part {}...{}", format.answer_open, format.answer_close);
            }
        case code_format_repeated: return "the reasoning or the answer part stands there more than once";
        case code_format_trailing: return "something other than white space and end-of-turn tokens follows the answer";
        case code_truncated: return "the text was cut off before it was complete";
        case code_unparsable: return "the answer's text is no list of integers and no word the task accepts";
        case code_bad_depth: return "the lists are nested in another way than the task asks for";
        case code_not_integer: return "one of the values is not a plain integer";
        case code_overflow: return "one of the values does not fit into 32 bits";
        case code_out_of_range: return "one of the values is outside of its range";
        case code_repeated: return "one of the values stands there twice";
        case code_wrong_length: return "the list has the wrong length";
        case code_empty: return "the list is empty, or earns nothing though something can be earned";
        default: return {};
    }
}

}  // namespace optgap::rows
