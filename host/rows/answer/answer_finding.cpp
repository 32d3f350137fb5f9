#include "host/rows/answer/answer_finding.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/rows/read/task_table.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::rows {
namespace {

/// "over_capacity" as "over capacity".
std::string rule_words(std::string_view code) {
    std::string out(code);
    std::ranges::replace(out, '_', ' ');
    return out;
}

std::string broken_rule(graded_answer const& one) {
    std::string const known = sentence_for(one.found.code, one.format);
    return known.empty() ? fmt::format("the answer breaks a rule of its task: {}", rule_words(one.code)) : known;
}

}  // namespace

std::string reason_of(graded_answer const& one) {
    if (one.parsed.answer_code != code_ok) {
        return sentence_for(one.parsed.answer_code, one.format);
    }
    return one.found.feasible() ? std::string()
                                : one.text.explain({one.instance.data(), std::int64_t(one.instance.size())},
                                                   {one.answer.data(), std::int64_t(one.answer.size())}, one.found);
}

finding find(graded_answer const& one) {
    finding out{.formed = one.formed, .sound = one.feasible};
    if (!out.formed) {
        out.rule = sentence_for(one.format_code, one.format);
    } else if (!out.sound && one.parsed.answer_code != code_ok) {
        out.rule = broken_rule(one);
        out.place = one.parsed.where < 0
                        ? std::string()
                        : fmt::format("the fault is at value {} of the list, counted from 0", one.parsed.where);
    } else if (!out.sound && one.found.feasible()) {  // feasible and worth nothing counts as no answer
        out.rule = sentence_for(code_empty, one.format);
    } else if (!out.sound) {
        out.rule = broken_rule(one);
        out.place = reason_of(one);
    }
    return out;
}

std::vector<std::string> feedback_of_answers(engine const& by, grade_request const& request, feedback_level level) {
    task_table const tasks(by);
    grade_batch const found = by.grade(request);
    std::span<format_spec const> const formats = request.formats.empty() ? known_formats() : request.formats;
    std::vector<std::string> out;
    for (std::size_t r = 0; r < found.rows.size(); ++r) {
        std::int64_t const instance = request.instance_of[r];
        std::int32_t const task = request.instances.task[instance];
        std::int32_t const format = request.format_of.empty() ? 0 : request.format_of[r];
        out.push_back(feedback_text(
            find({tasks.text(task), request.instances.blocks.row(instance), formats[std::size_t(format)],
                  found.parsed[r], found.format_codes[r], found.answers.row(std::int64_t(r)), found.verdicts[r],
                  found.rows[r].format > 0, found.rows[r].feasible > 0, by.code_name(task, found.verdicts[r].code)}),
            level));
    }
    return out;
}

}  // namespace optgap::rows
