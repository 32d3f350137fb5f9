#include "host/program_runs/program_rewards.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "optgap/external.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/status.hpp"

namespace optgap::program_runs {
namespace {

using programs::problem_rows;
using programs::program_matrix;
using programs::program_row;
using programs::run_cell;

/// Whether a code is about the completion's form, and costs the format's part of the reward, too.
bool breaks_format(std::int32_t code) {
    return is_program_format_code(code) || (code >= code_format_missing_reasoning && code <= code_truncated);
}

float mean_of(std::span<reward_row const> rows, float reward_row::*field) {
    double sum = 0;
    for (reward_row const& row : rows) {
        sum += double(row.*field);
    }
    return float(sum / double(rows.size()));
}

float on_grid(double value, double grid) { return float(grid > 0.0 ? std::nearbyint(value / grid) * grid : value); }

reward_spec const& spec_of(program_bill const& bill, std::size_t r, reward_rules const& rules) {
    problem_rows const& problem = bill.problems[std::size_t(bill.rows[r].problem)];
    return bill.direction.empty() ? rules.of(bill.instances.task[problem.first]) : rules.specs[0];
}

sense direction_of(engine const& by, program_bill const& bill, std::int32_t problem) {
    std::int64_t const first = bill.problems[std::size_t(problem)].first;
    return bill.direction.empty() ? by.tasks()[std::size_t(bill.instances.task[first])].objective_sense
                                  : bill.direction[std::size_t(problem)];
}

/// The reward that each cell of a row would get by itself.
std::vector<reward_row> reward_cells(engine const& by, program_bill const& bill, std::size_t r, std::int32_t text_code,
                                     std::span<run_cell const> cells, reward_rules const& rules) {
    program_row const& row = bill.rows[r];
    problem_rows const& problem = bill.problems[std::size_t(row.problem)];
    std::vector<verdict> verdicts;
    for (run_cell const& cell : cells) {
        verdicts.push_back(cell.found);
    }
    std::vector<std::int32_t> const format_codes(cells.size(), breaks_format(text_code) ? text_code : code_ok);
    std::vector<finish> const finished(cells.size(), row.finished);
    std::vector<std::int32_t> const length(bill.length.empty() ? 0 : cells.size(),
                                           bill.length.empty() ? 0 : bill.length[r]);
    std::vector<sense> const direction(cells.size(), direction_of(by, bill, row.problem));
    return external_rewards({.verdicts = verdicts,
                             .format_codes = format_codes,
                             .finished = finished,
                             .length = length,
                             .baselines = bill.baselines.subspan(std::size_t(problem.first), cells.size()),
                             .direction = direction,
                             .ranked = true},
                            spec_of(bill, r, rules));
}

void say_baselines(std::span<baseline const> of_problem, program_reward& out) {
    constexpr char const* kinds[] = {"proven", "bounded", "unknown"};
    int worst = 0;
    for (baseline const& own : of_problem) {
        worst = std::max(worst, own.proven() ? 0 : own.bound != no_objective ? 1 : 2);
    }
    out.proven = worst == 0;
    out.baseline_kind = kinds[worst];
}

/// Twice the midranks of a column, 0 for NaN. Larger values get higher ranks.
std::vector<std::int64_t> twice_ranks(std::vector<double> const& column) {
    std::vector<std::int64_t> out;
    for (double const mine : column) {
        std::int64_t counted = 0;
        for (double const other : column) {
            counted += std::int64_t(other >= mine) + std::int64_t(other > mine);
        }
        out.push_back(std::isnan(mine) ? 0 : counted + 1);
    }
    return out;
}

}  // namespace

std::vector<program_reward> reward_programs(engine const& by, program_matrix const& found, program_bill const& bill,
                                            reward_rules const& rules) {
    if (found.rows.size() != bill.rows.size() ||
        (bill.direction.empty() && std::int64_t(bill.baselines.size()) != bill.instances.blocks.rows) ||
        (!bill.direction.empty() && bill.direction.size() != bill.problems.size()) ||
        (!bill.length.empty() && bill.length.size() != bill.rows.size())) {
        misuse("programs: columns differ in length");
    }
    std::vector<program_reward> out;
    for (std::size_t r = 0; r < bill.rows.size(); ++r) {
        std::span<run_cell const> const cells = found.of_row(std::int64_t(r));
        problem_rows const& problem = bill.problems[std::size_t(bill.rows[r].problem)];
        std::vector<reward_row> const rewarded = reward_cells(by, bill, r, found.rows[r].code, cells, rules);
        program_reward row;
        std::int64_t valid = 0;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            valid += rewarded[k].feasible > 0 ? 1 : 0;
            row.codes.push_back(rewarded[k].code);
            row.value.code = row.value.code == code_ok ? rewarded[k].code : row.value.code;
            bool const of_task = cells[k].found.code >= first_task_code || cells[k].found.code < shared_code_count;
            row.violation += of_task && cells[k].found.code != code_ok ? cells[k].found.violation : 0;
        }
        row.valid = double(valid) / double(cells.size());
        row.value.format = rewarded[0].format;
        row.value.truncated = rewarded[0].truncated;
        row.value.length_penalty = mean_of(rewarded, &reward_row::length_penalty);
        row.value.feasible = valid > 0 ? 1.0f : 0.0f;
        row.value.quality = mean_of(rewarded, &reward_row::quality);
        row.value.raw_ratio = mean_of(rewarded, &reward_row::raw_ratio);
        row.value.normalized = mean_of(rewarded, &reward_row::normalized);
        row.value.optimal = mean_of(rewarded, &reward_row::optimal);
        row.value.reward = found.rows[r].masked
                               ? std::numeric_limits<float>::quiet_NaN()
                               : on_grid(double(mean_of(rewarded, &reward_row::reward)), spec_of(bill, r, rules).grid);
        row.value.code = found.rows[r].masked ? std::int32_t(code_infrastructure) : row.value.code;
        say_baselines(bill.baselines.subspan(std::size_t(problem.first), cells.size()), row);
        out.push_back(std::move(row));
    }
    return out;
}

std::vector<double> scores_of(std::span<run_cell const> cells, std::span<std::int32_t const> codes) {
    std::vector<double> out;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        verdict const& found = cells[k].found;
        bool const counts = (codes.empty() ? found.code : codes[k]) == code_ok;
        out.push_back(!counts            ? std::numeric_limits<double>::quiet_NaN()
                      : found.feasible() ? double(found.objective)
                                         : 0.0);
    }
    return out;
}

double rank_changes(engine const& by, program_matrix const& found, program_bill const& bill,
                    std::span<std::int32_t const> group) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < bill.rows.size(); ++r) {
        if (!found.rows[r].masked) {
            groups[{bill.rows[r].problem, group[r]}].push_back(r);
        }
    }
    std::int64_t compared = 0, changed = 0;
    for (auto const& [place, members] : groups) {
        std::vector<std::size_t> const& rows = members;  // a lambda cannot capture a structured binding in C++20
        problem_rows const& problem = bill.problems[std::size_t(place.first)];
        sense const direction = direction_of(by, bill, place.first);
        for (std::int32_t k = 0; k < problem.count; ++k) {
            auto const column = [&](std::vector<run_cell> const& cells) {
                std::vector<double> scores;
                for (std::size_t const r : rows) {
                    run_cell const& cell = cells[std::size_t(found.begin[r] + k)];
                    double const score = scores_of({&cell, 1})[0];
                    scores.push_back(direction == sense::maximise ? score : -score);
                }
                return twice_ranks(scores);
            };
            std::vector<std::int64_t> const first = column(found.cells);
            for (std::vector<run_cell> const& others : found.repeated) {
                std::vector<std::int64_t> const again = column(others);
                for (std::size_t i = 0; i < again.size(); ++i) {
                    ++compared;
                    changed += again[i] != first[i] ? 1 : 0;
                }
            }
        }
    }
    return compared == 0 ? 0.0 : double(changed) / double(compared);
}

}  // namespace optgap::program_runs
