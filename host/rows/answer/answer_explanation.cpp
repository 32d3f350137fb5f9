#include "host/rows/answer/answer_explanation.hpp"

#include <fmt/format.h>

#include "host/rows/answer/answer_finding.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/answer.hpp"
#include "optgap/reward_rules.hpp"

namespace optgap::rows {
namespace {

/// The instance and the completion of one row, read anew.
struct answer_row {
    instance_set instances;
    text_arena texts;
    rollout roll;
    bool has_completion = false;
    grade_batch scored;  ///< one row

    explicit answer_row(task_table const& tasks) : instances(tasks) {}
    [[nodiscard]] std::int32_t task() const { return instances.task(0); }
    [[nodiscard]] format_spec const& format() const { return known_formats()[std::size_t(roll.format)]; }
};

void read_answer_row(run_services& run, row_item& item, answer_row& out) {
    out.instances.resolve({&item, 1});
    out.has_completion = has(item.row, "completion");
    if (!item.sound() || !out.has_completion) {
        return;
    }
    try {
        out.roll = read_rollout(item, run.options, out.texts);
        require_tokens(out.roll, run.reward);
    } catch (field_error const& broken) {
        item.reject(broken.field(), broken.rule());
    }
}

void grade_answer_row(run_services& run, row_item& item, baseline const& base, answer_row& out) {
    if (out.has_completion) {
        std::int32_t const first = 0;
        out.scored = run.by.grade({.instances = out.instances.view(),
                                   .baselines = {&base, 1},
                                   .texts = {&out.roll.completion, 1},
                                   .instance_of = {&first, 1},
                                   .length = {&out.roll.length, 1},
                                   .finished = {&out.roll.finished, 1},
                                   .format_of = {&out.roll.format, 1},
                                   .reward = run.reward});
        return;
    }
    parsed_text const parsed = read_answer(item, run.tasks.text(out.task()), out.scored.answers.words);
    out.scored.parsed.push_back(parsed);
    out.scored.format_codes.push_back(code_ok);
    out.scored.answers.offsets.push_back(std::int64_t(out.scored.answers.words.size()));
    out.scored.verdicts = run.by.verify(out.instances.view(), out.scored.answers.view());
    verdict& found = out.scored.verdicts[0];
    if (parsed.answer_code != code_ok) {
        found = {parsed.answer_code, parsed.where, 0, found.violation_max, found.violation_max};
    }
    bool const worthless = is_worthless(found, base, run.by.tasks()[std::size_t(out.task())].objective_sense);
    reward_row& row = out.scored.rows.emplace_back();
    row.format = 1;
    row.feasible = found.feasible() && !worthless ? 1.0f : 0.0f;
}

graded_answer graded_answer_of(run_services& run, answer_row const& row, reward_row const& value) {
    return {run.tasks.text(row.task()),
            row.instances.words(0),
            row.format(),
            row.scored.parsed[0],
            row.scored.format_codes[0],
            row.scored.answers.row(0),
            row.scored.verdicts[0],
            value.format > 0,
            value.feasible > 0,
            run.by.code_name(row.task(), row.scored.verdicts[0].code)};
}

std::string code_and_words(std::string_view name, std::string const& sentence) {
    return sentence.empty() ? std::string(name) : fmt::format("{}: {}", name, sentence);
}

std::string answer_in_short(std::span<std::int32_t const> block, task_info const& info, task_text const& text) {
    bool const list = block.empty() || block[0] == answer_word;
    return shortened(list ? answer_json(block, info) : answer_in_words(text, block), 120);
}

std::string objective_or_none(std::int64_t objective) {
    return objective == no_objective ? "none" : std::to_string(objective);
}

void add_verdict(section& out, graded_answer const& one, task_info const& info, baseline const& base) {
    verdict const& found = one.found;
    if (is_worthless(found, base, info.objective_sense)) {
        out.add("verdict", "infeasible (empty)", tone::bad);
        out.add("", fmt::format("the {} is 0 where {} is possible: an answer worth nothing counts as none",
                                info.objective, base.objective));
    } else if (found.feasible()) {
        out.add("verdict", fmt::format("feasible, {} {}", info.objective, found.objective), tone::good);
    } else {
        std::string const place = found.where < 0 ? "" : fmt::format(", at value {}", found.where);
        out.add("verdict", fmt::format("infeasible ({}{})", one.code, place), tone::bad);
        out.add("", printable(reason_of(one)));
        out.add("", fmt::format("violation {} of at most {}", found.violation, found.violation_max));
    }
}

void add_baseline(explanation& out, baseline const& base, std::span<std::int32_t const> best, task_info const& info,
                  task_text const& text) {
    constexpr char const* status_words[] = {"no answer known", "best known", "optimum", "no answer exists"};
    section& known = out.add(std::string(status_words[std::size_t(base.status)]));
    if (!best.empty()) {
        known.add("answer", answer_in_short(best, info, text));
    }
    known.add("values",
              fmt::format("objective {}, bound {} ({}), floor policy {}, greedy {}", objective_or_none(base.objective),
                          objective_or_none(base.bound), base.proven() ? "proven" : "not proven",
                          objective_or_none(base.floor), objective_or_none(base.greedy)));
}

/// The baseline of the row, or the solver's; `best` gets the solver's answer.
baseline baseline_and_answer(run_services& run, answer_row const& row, csr_words& best) {
    instance_set const& of = row.instances;
    solved_batch solved = run.by.solve(of.view(), run.options.budget, run.by.planted(of.specs()).view());
    best = std::move(solved.answers);
    if (!row.roll.given) {
        return solved.rows[0];
    }
    baseline base = *row.roll.given;
    if (base.objective != solved.rows[0].objective) {
        best = {};
        best.append({});
    }
    base.floor = base.floor == no_objective ? solved.rows[0].floor : base.floor;
    base.greedy = base.greedy == no_objective ? solved.rows[0].greedy : base.greedy;
    return base;
}

}  // namespace

finding find_answer(run_services& run, row_item& item, reward_row const& known) {
    answer_row row(run.tasks);
    read_answer_row(run, item, row);
    grade_answer_row(run, item, {}, row);
    return find(graded_answer_of(run, row, known));
}

explanation explain_answer(run_services& run, row_item& item) {
    answer_row row(run.tasks);
    read_answer_row(run, item, row);
    if (!item.sound()) {
        return {};
    }
    csr_words best;
    baseline const base = baseline_and_answer(run, row, best);
    grade_answer_row(run, item, base, row);
    task_info const& info = run.by.tasks()[std::size_t(row.task())];
    task_text const& text = run.tasks.text(row.task());
    parsed_text const& parsed = row.scored.parsed[0];
    graded_answer const one = graded_answer_of(run, row, row.scored.rows[0]);

    explanation out;
    out.title = printable(
        string_of(item.row, "key").value_or(to_string(explicit_key(info, hash_words(row.instances.words(0))))));
    out.about = fmt::format("{}, {} {}", info.title, info.objective_sense == sense::minimise ? "minimise" : "maximise",
                            info.objective);
    out.found = find(one);
    std::string_view const completion = row.roll.completion;
    constexpr char const* finish_names[] = {"unknown", "stop", "length", "abort"};
    section& read = row.has_completion
                        ? out.add_excerpt(fmt::format("completion, {} bytes, finish {}", completion.size(),
                                                      finish_names[std::size_t(row.roll.finished)]),
                                          completion, parsed.answer)
                        : out.add("answer");
    if (row.has_completion) {
        bool const whole = parsed.format_code == code_ok;
        std::string const words = code_and_words(run.by.code_name(row.task(), parsed.format_code),
                                                 sentence_for(parsed.format_code, one.format));
        read.add("format", fmt::format("{}: {}", one.format.name, whole ? "well formed" : words),
                 whole ? tone::good : tone::bad);
    }
    if (parsed.answer_code == code_ok) {
        read.add("parse", answer_in_short(one.answer, info, text));
    } else {
        read.add("parse",
                 code_and_words(run.by.code_name(row.task(), parsed.answer_code),
                                sentence_for(parsed.answer_code, one.format)),
                 tone::bad);
    }
    add_verdict(read, one, info, base);
    add_baseline(out, base, best.row(0), info, text);
    if (row.has_completion) {
        reward_steps const steps{
            info.objective_sense,       one.found,         base,           run.reward.of(row.task()),
            row.scored.format_codes[0], row.roll.finished, row.roll.length};
        out.add(fmt::format("reward, code {}", run.by.code_name(row.task(), row.scored.rows[0].code))).steps =
            steps.lines();
    }
    return out;
}

}  // namespace optgap::rows
