// Rows of programs as tickets carry them, and the job that a ticket of programs is.

#include <algorithm>
#include <limits>
#include <utility>

#include "host/scheduler/program_job.hpp"

namespace optgap {
namespace {

/// What all tickets' rows have: rewards, codes, where the program stands.
std::shared_ptr<grade_batch const> as_grades(program_batch const& of) {
    auto rows = std::make_shared<grade_batch>();
    rows->rows = of.rows;
    for (std::size_t r = 0; r < of.rows.size(); ++r) {
        rows->verdicts.push_back({of.rows[r].code, -1, 0, of.violation[r], of.violation[r]});
        rows->parsed.emplace_back();
        rows->parsed.back().answer = of.span[r];
        rows->parsed.back().answer_code = of.rows[r].code;
    }
    rows->format_codes.resize(of.rows.size());
    rows->answers.offsets.resize(of.rows.size() + 1);
    return rows;
}

ticket_result as_result(program_batch scores, outcome how, std::int32_t task) {
    auto const kept = std::make_shared<program_batch const>(std::move(scores));
    ticket_result result(as_grades(*kept), 0, kept->size());
    result.how = how;
    result.task = task;
    result.programs = kept;
    return result;
}

}  // namespace

problem_id id_of(program_problem const& of) { return {of.task, 0, program_part, of.hash.high, of.hash.low}; }

ticket_result blank_programs(outcome how, program_problem const& of, std::int64_t count, std::string reason) {
    program_batch rows;
    reward_row none;
    none.reward = std::numeric_limits<float>::quiet_NaN();
    none.code = -1;
    for (std::int64_t r = 0; r < count; ++r) {
        rows.rows.push_back(none);
        rows.begin.push_back(rows.begin.back() + of.count());
        rows.masked.push_back(1);
        rows.task.push_back(of.task);
    }
    auto const n = std::size_t(count), cells = std::size_t(rows.begin.back());
    rows.advantage.resize(n);
    rows.codes.assign(cells, -1);
    rows.objectives.assign(cells, no_objective);
    rows.baselines.resize(cells);
    rows.valid.resize(n);
    rows.violation.resize(n);
    rows.span.resize(n);
    rows.hash.resize(n);
    rows.isolation.resize(n);
    rows.trouble.assign(n, reason.empty() ? outcome_name(how) : reason);
    ticket_result result = as_result(std::move(rows), how, of.task);
    result.reason = std::move(reason);
    return result;
}

ticket_result rewarded_programs(program_batch scores, std::int32_t task) {
    return as_result(std::move(scores), outcome::scored, task);
}

bool program_job::is_proven() const {
    return std::ranges::all_of(
        entries, [](problem_entry const* one) { return one == nullptr || one->baseline_phase == phase::ready; });
}

std::string program_job::failure() const {
    for (problem_entry const* const one : entries) {
        if (one != nullptr && !one->failure.empty()) {
            return one->failure;
        }
    }
    return {};
}

std::vector<baseline> program_job::baselines() const {
    std::vector<baseline> out;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        out.push_back(entries[k] == nullptr ? *of->given[k] : entries[k]->base);
    }
    return out;
}

void program_job::ask(payload const& what, scheduler_options const& by) {
    only_problem.assign(what.texts.size(), 0);
    asked = {.problems = {&of, 1},
             .texts = what.texts,
             .problem_of = only_problem,
             .finished = what.finished,
             .length = what.length,
             .reward = what.rule->reward,
             .budget = by.budget,
             .fail_fast = by.fail_fast,
             .dedupe_always = by.dedupe_always,
             .stop = stop.get_token()};
}

}  // namespace optgap
