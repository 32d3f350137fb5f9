#include "host/program_runs/program_call.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "host/reward/group_advantages.hpp"
#include "optgap/status.hpp"

namespace optgap::program_runs {
namespace {

using programs::program_language;

void require_column(char const* name, std::size_t given, std::size_t rows) {
    if (given != 0 && given != rows) {
        misuse(std::string(name) + ": expected one entry per text (" + std::to_string(rows) + "), got " +
               std::to_string(given));
    }
}

void require_columns(program_request const& asked) {
    std::size_t const rows = asked.texts.size();
    require_column("problem_of", asked.problem_of.size(), rows);
    require_column("group", asked.group.size(), rows);
    require_column("finished", asked.finished.size(), rows);
    require_column("length", asked.length.size(), rows);
    if (asked.problem_of.empty() && asked.problems.size() != rows) {
        misuse("problems: without problem_of expected one per text (" + std::to_string(rows) + "), got " +
               std::to_string(asked.problems.size()));
    }
    for (std::shared_ptr<program_problem const> const& one : asked.problems) {
        if (one == nullptr || one->count() < 1 || std::int64_t(one->specs.size()) != one->count() ||
            (!one->given.empty() && std::int64_t(one->given.size()) != one->count())) {
            misuse("problems: one is null, or its columns differ in length");
        }
    }
    for (std::int32_t const p : asked.problem_of) {
        if (p < 0 || std::size_t(p) >= asked.problems.size()) {
            misuse("problem_of: " + std::to_string(p) + " is none of " + std::to_string(asked.problems.size()) +
                   " problems");
        }
    }
}

std::shared_ptr<program_problem const> const& problem_of(program_request const& asked, std::size_t row) {
    return asked.problems[asked.problem_of.empty() ? row : std::size_t(asked.problem_of[row])];
}

/// The entry of `column` that ranking estimators read.
double score_of(program_batch const& rows, std::size_t cell) {
    return rows.codes[cell] != code_ok             ? std::numeric_limits<double>::quiet_NaN()
           : rows.objectives[cell] == no_objective ? 0.0  // a right claim that no answer exists
                                                   : double(rows.objectives[cell]);
}

/// Whether a row needs an isolation level that counts steps.
bool names_steps(programs::program_row const& row) { return row.limits.run.steps > 0; }

}  // namespace

program_call::program_call(engine const& by, program_request const& asked)
    : by_(by), asked_(asked), isolations_(asked.texts.size()) {
    require_columns(asked);
    std::unordered_map<program_problem const*, std::int32_t> known;
    rows_.reserve(asked.texts.size());
    for (std::size_t r = 0; r < asked.texts.size(); ++r) {
        std::shared_ptr<program_problem const> const& of = problem_of(asked, r);
        auto const [place, is_new] = known.try_emplace(of.get(), std::int32_t(problems_.size()));
        if (is_new) {
            problems_.push_back(of);
            limits_.push_back(programs::parse_limits(of->limits));
            places_.push_back({instances_.size(), std::int32_t(of->count())});
            for (std::int64_t k = 0; k < of->count(); ++k) {
                instances_.append(of->task, of->instances.blocks.row(k));
            }
        }
        program_language const language = programs::language_named(of->language);
        programs::program_interface const interface = programs::interface_named(of->interface, language);
        rows_.push_back({.completion = asked.texts[r],
                         .format = &of->format,
                         .finished = asked.finished.empty() ? finish::unknown : asked.finished[r],
                         .language = language,
                         .input = of->input.empty() ? programs::usual_form(language)
                                                    : programs::input_form_of(of->input, interface),
                         .limits = limits_[std::size_t(place->second)],
                         .problem = place->second,
                         .interface = interface});
        found_.begin.push_back(found_.begin.back() + of->count());
    }
    found_.rows.resize(rows_.size());
    found_.cells.resize(std::size_t(found_.begin.back()));
}

std::vector<program_language> program_call::languages(bool steps) const {
    std::vector<program_language> out;
    for (programs::program_row const& row : rows_) {
        if (names_steps(row) == steps && std::find(out.begin(), out.end(), row.language) == out.end()) {
            out.push_back(row.language);
        }
    }
    return out;
}

void program_call::run(programs::sandbox& in, bool steps) {
    programs::batch_options options;
    options.fail_fast = asked_.fail_fast;
    options.dedupe = asked_.dedupe_always ? programs::dedupe_rule::always : programs::dedupe_rule::deterministic;
    options.stop = asked_.stop;
    std::vector<std::size_t> mine;
    std::vector<programs::program_row> rows;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (names_steps(rows_[r]) == steps) {
            mine.push_back(r);
            rows.push_back(rows_[r]);
            isolations_[r] = in.isolation(rows_[r].language);
        }
    }
    programs::program_matrix part = programs::run_programs(by_, in, instances_.view(), places_, rows, options);
    for (std::size_t k = 0; k < mine.size(); ++k) {
        std::ranges::copy(part.of_row(std::int64_t(k)), found_.cells.begin() + found_.begin[mine[k]]);
        found_.rows[mine[k]] = std::move(part.rows[k]);
    }
    for (programs::run_timing one : part.timings) {
        one.row = std::int64_t(mine[std::size_t(one.row)]);
        found_.timings.push_back(one);
    }
    found_.counts += part.counts;
}

program_batch program_call::rewarded(std::vector<std::vector<baseline>> const& known) const {
    std::vector<baseline> baselines;
    for (std::size_t p = 0; p < problems_.size(); ++p) {
        baselines.insert(baselines.end(), known[p].begin(), known[p].end());
    }
    std::vector<program_reward> const rewarded =
        reward_programs(by_, found_, {instances_.view(), baselines, places_, rows_, asked_.length}, asked_.reward);
    program_batch out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::vector<baseline> const& own = known[std::size_t(rows_[r].problem)];
        out.baselines.insert(out.baselines.end(), own.begin(), own.end());
        write_row(r, rewarded[r], out);
    }
    programs::batch_counts const& counts = found_.counts;
    out.counts = {.programs = counts.programs,
                  .compiled = counts.compiled,
                  .compile_cached = counts.compile_cached,
                  .runs = counts.runs,
                  .copied = counts.copied,
                  .left_out = counts.left_out,
                  .masked = counts.masked,
                  .suspected = counts.suspected,
                  .retried = counts.retried};
    for (programs::run_timing const& one : found_.timings) {
        out.counts.core_seconds += one.cpu_ms / 1000;
    }
    return out;
}

void program_call::write_row(std::size_t r, program_reward const& found, program_batch& out) const {
    std::span<programs::run_cell const> const cells = found_.of_row(std::int64_t(r));
    programs::program_fate const& fate = found_.rows[r];
    out.rows.push_back(found.value);
    out.begin.push_back(out.begin.back() + std::int64_t(cells.size()));
    out.codes.insert(out.codes.end(), found.codes.begin(), found.codes.end());
    for (std::size_t k = 0; k < cells.size(); ++k) {
        bool const counts = found.codes[k] == code_ok && cells[k].found.feasible();
        out.objectives.push_back(counts ? cells[k].found.objective : no_objective);
    }
    out.valid.push_back(found.valid);
    out.violation.push_back(found.violation);
    out.masked.push_back(fate.masked ? 1 : 0);
    out.task.push_back(problems_[std::size_t(rows_[r].problem)]->task);
    out.span.push_back(fate.span);
    out.hash.push_back(fate.hash);
    out.isolation.push_back(isolations_[r]);
    out.trouble.push_back(fate.trouble.empty() ? fate.compile_line : fate.trouble);
}

std::vector<float> program_advantages(engine const& by, program_batch const& rows, std::span<std::int32_t const> group,
                                      std::span<std::int32_t const> length, advantage_spec const& spec) {
    std::vector<sense> direction;
    std::vector<double> scores;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        direction.push_back(by.tasks()[std::size_t(rows.task[r])].objective_sense);
        for (std::int64_t c = rows.begin[r]; c < rows.begin[r + 1]; ++c) {
            scores.push_back(score_of(rows, std::size_t(c)));
        }
    }
    return group_advantages(by,
                            {.rows = rows.rows,
                             .group = group,
                             .cohort = rows.task,
                             .length = length,
                             .direction = direction,
                             .offsets = rows.begin,
                             .scores = scores},
                            spec);
}

std::vector<std::int32_t> groups_by_problem(program_request const& asked) {
    std::map<std::pair<std::int32_t, std::string>, std::int32_t> ids;
    std::unordered_map<program_problem const*, std::int32_t> seen;
    std::vector<std::int32_t> out;
    for (std::size_t r = 0; r < asked.texts.size(); ++r) {
        program_problem const& of = *problem_of(asked, r);
        auto const [place, is_new] = seen.try_emplace(&of, 0);
        if (is_new) {
            place->second = ids.try_emplace({of.task, hex32(of.hash)}, std::int32_t(ids.size())).first->second;
        }
        out.push_back(place->second);
    }
    return out;
}

}  // namespace optgap::program_runs
