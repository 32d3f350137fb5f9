#include <algorithm>
#include <array>

#include "optgap/format.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

std::array<format_spec, 5> make_formats() {
    format_spec const forge;
    format_spec prefilled = forge;
    prefilled.name = "forge_prefilled";
    prefilled.reasoning_opened_in_prompt = true;
    format_spec answer_only = forge;
    answer_only.name = "answer_only";
    answer_only.reasoning_required = false;
    format_spec boxed = answer_only;
    boxed.name = "boxed";
    boxed.place = answer_place::boxed;
    boxed.nothing_after_answer = false;
    format_spec line = answer_only;
    line.name = "answer_line";
    line.place = answer_place::line;
    return {forge, prefilled, answer_only, boxed, line};
}

std::string reasoning_instructions(format_spec const& format) {
    if (!format.reasoning_required) {
        return "You may reason first. ";
    }
    if (format.reasoning_opened_in_prompt) {
        return "Reason first; your reasoning part is already open. Close it once with " + format.reasoning_close +
               " and do not open another. ";
    }
    return "Reason first, in exactly one part between " + format.reasoning_open + " and " + format.reasoning_close +
           ". ";
}

std::string place_instructions(format_spec const& format, std::string const& form) {
    switch (format.place) {
        case answer_place::tagged:
            return "Then give the final answer, in exactly one part: " + format.answer_open + form +
                   format.answer_close + ".";
        case answer_place::boxed:
            return "Then give the final answer in a box: \\boxed{" + form + "}. Only the last box counts.";
        case answer_place::line:
            return "Then end with the final answer on a line of its own, and nothing behind it:\nAnswer: " + form;
    }
    return {};
}

}  // namespace

std::span<format_spec const> formats() {
    static std::array<format_spec, 5> const all = make_formats();
    return all;
}

format_spec const& format_named(std::string_view name) {
    std::span<format_spec const> const all = formats();
    auto const found = std::find_if(all.begin(), all.end(), [&](format_spec const& f) { return f.name == name; });
    if (found != all.end()) {
        return *found;
    }
    std::string known;
    for (format_spec const& f : all) {
        known += (known.empty() ? "" : ", ") + f.name;
    }
    throw error(status::invalid_argument, "format \"" + std::string(name) + "\" is unknown; the formats are " + known);
}

std::string format_instructions(format_spec const& format, std::string_view form) {
    std::string sentences = reasoning_instructions(format) + place_instructions(format, std::string(form));
    if (format.nothing_after_answer && format.place != answer_place::line) {
        sentences += " Write nothing after it.";
    }
    return sentences;
}

}  // namespace optgap
