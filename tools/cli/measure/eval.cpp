// optgap eval: SR, QR, normalised QR, mean reward, zero-variance groups, pass@k and best-of-k per task, level and
// category.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/judgement/judgement.hpp"
#include "host/rows/program/program.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/row_place.hpp"
#include "host/rows/text/text.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/measure/judge_rates.hpp"
#include "tools/cli/measure/outcome.hpp"
#include "tools/cli/measure/program_rates.hpp"
#include "tools/cli/measure/rubric_rates.hpp"
#include "tools/cli/measure/suite_rates.hpp"
#include "tools/cli/rows/drift.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/score/summary.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

/// Rollouts by task and level.
using cells = std::map<std::pair<std::string, std::string>, rollout_groups>;

constexpr char const* everything = "all";

/// Levels from easy to benchmark, then the difficulty scale, then the rest.
int level_rank(std::string const& level) {
    try {
        return parse_level(level).code;
    } catch (field_error const&) {
        return max_scale_step + 1;
    }
}

struct eval_options {
    std::int32_t resamples = 1000;
    std::vector<std::int32_t> k{1, 4, 16};
    double correct = 1.0;
    bool allow_drift = false;
    std::vector<std::string> suites;
};

/// The lines of the report: unions of cells, each under a label.
struct report {
    std::vector<labelled_evaluation> levels;      ///< task, level: each cell, each task, everything
    std::vector<labelled_evaluation> categories;  ///< the paper's five, and others
    std::vector<labelled_evaluation> classes;
    std::vector<labelled_evaluation> families;
    std::vector<labelled_evaluation> suites;  ///< suite and whether its tasks are seen in training
};

class reporter {
public:
    reporter(engine const& by, cells const& all, eval_options const& options, suite_rates& suites)
        : by_(by), all_(all), suites_(suites), how_{options.resamples, options.k, options.correct, 0} {}

    [[nodiscard]] report made() const {
        report out;
        std::map<std::string, std::vector<rollout_groups const*>> categories, classes, families;
        std::map<std::string, std::vector<cells::value_type const*>> tasks;
        std::vector<rollout_groups const*> whole;
        for (auto const& cell : all_) {
            tasks[cell.first.first].push_back(&cell);
            task_info const* const info = info_of(cell.first.first);
            categories[info != nullptr ? std::string(info->category) : "other"].push_back(&cell.second);
            std::string const listed = suites_.kind_of(cell.first.first);
            classes[info != nullptr   ? std::string(name_of(info->kind))
                    : !listed.empty() ? listed
                                      : "external"]
                .push_back(&cell.second);
            suites_.add(cell.first.first, cell.first.second, cell.second);
            families[info != nullptr ? std::string(info->family) : "external"].push_back(&cell.second);
            whole.push_back(&cell.second);
        }
        for (auto& [task, levels] : tasks) {
            std::stable_sort(levels.begin(), levels.end(), [](auto const* a, auto const* b) {
                return level_rank(a->first.second) < level_rank(b->first.second);
            });
            std::vector<rollout_groups const*> every;
            for (auto const* cell : levels) {
                every.push_back(&cell->second);
                out.levels.push_back({{task, cell->first.second}, evaluate({&every.back(), 1}, how_)});
            }
            if (levels.size() > 1) {
                out.levels.push_back({{task, everything}, evaluate(every, how_)});
            }
        }
        out.levels.push_back({{everything, everything}, evaluate(whole, how_)});
        for (auto const& [of, to] : {std::pair(&categories, &out.categories), std::pair(&classes, &out.classes),
                                     std::pair(&families, &out.families)}) {
            for (auto const& [label, members] : *of) {
                to->push_back({{label}, evaluate(members, how_)});
            }
        }
        out.suites = suites_.lines(how_);
        return out;
    }

private:
    /// nullptr for a task from outside.
    [[nodiscard]] task_info const* info_of(std::string const& task) const {
        auto const found = std::find_if(by_.tasks().begin(), by_.tasks().end(),
                                        [&](task_info const& info) { return info.name == task; });
        return found == by_.tasks().end() ? nullptr : &*found;
    }

    engine const& by_;
    cells const& all_;
    suite_rates& suites_;
    evaluation_options how_;
};

json interval_of(estimate const& rate) { return {number_or_null(rate.low), number_or_null(rate.high)}; }

json rates_json(evaluation const& of) {
    json at = json::array();
    for (at_k const& row : of.at) {
        at.push_back({{"k", row.k},
                      {"groups", row.groups},
                      {"pass", number_or_null(row.pass.value)},
                      {"pass_interval", interval_of(row.pass)},
                      {"best", number_or_null(row.best.value)},
                      {"best_interval", interval_of(row.best)}});
    }
    return {{"rows", of.rows},
            {"sr", number_or_null(of.success_rate.value)},
            {"sr_interval", interval_of(of.success_rate)},
            {"qr", number_or_null(of.quality_ratio.value)},
            {"qr_interval", interval_of(of.quality_ratio)},
            {"normalized_qr", number_or_null(of.normalized_quality_ratio.value)},
            {"normalized_qr_interval", interval_of(of.normalized_quality_ratio)},
            {"reward", number_or_null(of.reward)},
            {"groups", of.groups},
            {"zero_variance_groups", of.zero_variance_groups},
            {"truncated", of.truncated},
            {"at", at}};
}

/// Tables of rows that are no answers.
struct other_rates {
    program_rates programs;
    rubric_rates rubrics;
    judge_rates judges;
};

void print_json(report const& made, suite_rates const& suites, other_rates const& others, std::int64_t rejected) {
    json levels = json::array();
    for (auto const& [labels, rates] : made.levels) {
        json row{{"task", labels[0]}, {"level", labels[1]}};
        row.update(rates_json(rates));
        levels.push_back(row);
    }
    auto const rolled_up = [](char const* name, std::vector<labelled_evaluation> const& lines) {
        json rows = json::array();
        for (auto const& [labels, rates] : lines) {
            json row{{name, labels[0]}};
            row.update(rates_json(rates));
            rows.push_back(row);
        }
        return rows;
    };
    json out{{"summaries", levels},
             {"categories", rolled_up("category", made.categories)},
             {"classes", rolled_up("class", made.classes)},
             {"families", rolled_up("family", made.families)}};
    if (json coverage = suites.coverage(); !coverage.empty()) {
        json rows = rolled_up("suite", made.suites);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            rows[r]["training"] = made.suites[r].labels[1];
        }
        out.update({{"suites", rows}, {"coverage", coverage}});
    }
    if (!others.programs.empty()) {
        out["programs"] = others.programs.summaries();
    }
    if (!others.rubrics.empty()) {
        out["rubrics"] = others.rubrics.summaries();
        out["chains"] = out["rubrics"];  // the former name
    }
    if (!others.judges.empty()) {
        out["judgements"] = others.judges.summaries();
    }
    out["rejected"] = rejected;
    write_stdout(json_text(out, 2) + "\n");
}

void print_tables(report const& made, suite_rates const& suites, other_rates const& others,
                  eval_options const& options) {
    bool const intervals = options.resamples > 0;
    if (made.levels.size() == 1 && !(others.rubrics.empty() && others.judges.empty())) {  // "all" alone
        write_stdout(others.rubrics.empty() ? "" : others.rubrics.table_text());
        write_stdout(others.judges.empty() ? "" : others.judges.table_text());
        return;
    }
    write_stdout(rates_table({"task", "level"}, made.levels, intervals));
    for (auto const& [title, lines] : {std::pair("category", &made.categories), std::pair("class", &made.classes),
                                       std::pair("family", &made.families)}) {
        if (lines->size() > 1) {
            write_stdout("\n" + rates_table({title}, *lines, intervals));
        }
    }
    if (!made.suites.empty()) {
        write_stdout("\n" + rates_table({"suite", "training"}, made.suites, intervals));
    }
    if (!options.k.empty()) {
        write_stdout("\n" + at_k_table({"task", "level"}, made.levels));
    }
    if (!others.programs.empty()) {
        write_stdout("\n" + others.programs.table_text());
    }
    if (!others.rubrics.empty()) {
        write_stdout("\n" + others.rubrics.table_text());
    }
    if (!others.judges.empty()) {
        write_stdout("\n" + others.judges.table_text());
    }
    write_stdout(suites.coverage_text());
}

/// The sense of a scored row of a user's own problem, which stands in `program`.
sense sense_of_scored(json_row const& row) {
    std::string_view const* const program = field_of(row, "program");
    json const read = program == nullptr ? json() : read_json(*program);
    if (!read.is_object() || !read.contains("sense")) {
        throw field_error("program", "missing `sense`: a scored row of a problem of your own has it");
    }
    return read["sense"] == "maximise" ? sense::maximise : sense::minimise;
}

/// What the row's program did, where it is a program's.
void add_program(json_row const& row, outcome const& read, program_details const* scored, engine const& by,
                 program_rates& out) {
    program_outcome one{read.task, read.level, {}, read.group, sense::minimise, {}};
    if (scored != nullptr) {
        one.objectives = scored->objectives;
    } else if (!read_objectives(row, one.objectives)) {
        return;
    }
    if (is_own_problem_row(row)) {
        one.direction = scored != nullptr ? scored->direction : sense_of_scored(row);
        one.problem = own_row_problem(row).name;
        out.add(std::move(one));
        return;
    }
    one.direction = by.tasks()[std::size_t(by.task_index(read.task))].objective_sense;
    one.problem = string_of(row, "key").value_or("");
    if (one.problem.empty()) {
        std::string_view const* const own = row.find("instances");
        one.problem = fmt::format("{} {}", read.task, own == nullptr ? std::string_view() : *own);
    }
    out.add(std::move(one));
}

/// `fresh`: the row as this command scored it, null where optgap score did.
void count(json_row const& row, graded_row const* fresh, scorer& by, engine const& tasks, cells& all,
           other_rates& others) {
    if (is_judgement(row)) {
        fresh == nullptr ? others.judges.add(read_judgement_outcome(row))
                         : others.judges.add({by.kind_of<judgement_kind>(*fresh)->judged(*fresh), step_of(row)});
        return;
    }
    std::optional<rubric_outcome> from_rubric;
    if (fresh == nullptr) {
        from_rubric = read_rubric_outcome(row);
    } else if (auto const* const texts = by.kind_of<rubric_scores>(*fresh)) {
        from_rubric = texts->outcome_of(*fresh);
    }
    outcome const read = fresh == nullptr ? read_scored(row, by, from_rubric.has_value()) : from_score(row, *fresh, by);
    if (from_rubric) {
        others.rubrics.add(*from_rubric, read.value, read.group);
        return;
    }
    auto const* const programs = fresh == nullptr ? nullptr : by.kind_of<program_kind>(*fresh);
    add_program(row, read, programs == nullptr ? nullptr : &programs->details(*fresh), tasks, others.programs);
    all[{read.task, read.level}].add(read.value, read.group);
}

void eval(context& ctx, std::vector<std::string> const& files, score_options const& how, eval_options const& options) {
    suite_rates suites(options.suites);
    scorer by = make_scorer(ctx, how);
    drift_guard guard(options.allow_drift);
    row_input input(ctx, files, "eval");
    cells all;
    other_rates others;
    std::int64_t rejected = 0;
    std::string first;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        auto const raw_begin = std::stable_partition(
            items.begin(), items.end(), [](row_item const& item) { return item.sound() && is_scored(item.row); });
        auto const scored_count = std::size_t(raw_begin - items.begin());
        std::vector<graded_row> const scored = by.score(items.subspan(scored_count));
        for (std::size_t i = 0; i < items.size(); ++i) {
            row_item& item = items[i];
            try {
                if (item.sound()) {
                    graded_row const* const fresh = i < scored_count ? nullptr : &scored[i - scored_count];
                    fresh == nullptr ? guard.check(item.row, item.number) : guard.check(by.fingerprint(), item.number);
                    guard.check_model(item.row, item.number);
                    count(item.row, fresh, by, ctx.get_engine(), all, others);
                }
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
            }
            if (!item.sound() && rejected++ == 0) {
                first = fmt::format("{}, row {}, {}: {}", input.file(), item.number, item.field, item.rule);
            }
        }
    }
    input.finish(ctx);
    report const made = reporter(ctx.get_engine(), all, options, suites).made();
    ctx.json ? print_json(made, suites, others, rejected) : print_tables(made, suites, others, options);
    print_report(ctx, by);
    if (rejected > 0) {
        ctx.note(fmt::format("{} row{} left out, first {}", rejected, rejected == 1 ? "" : "s", first));
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_eval(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "eval", "Success rate, quality ratio, reward, pass@k per task, level and category, with intervals",
        {"optgap score rollouts.jsonl | optgap eval -", "optgap eval rollouts.jsonl --k 1,8 --correct 0.95 --json",
         "optgap eval rollouts.jsonl --suite rlve_c16 --suite rlve_ood"},
        {"Rows that optgap score wrote are counted as they are; others are scored first, by the same options.",
         "SR: share of feasible rows. QR: mean quality, 0 where infeasible. norm. QR: between the floor policy (0) and "
         "the baseline (1). equal: groups of two or more rows with equal rewards. [low, high]: 95 % bootstrap",
         "interval, groups resampled. pass@k: chance that one of k rows of a group is correct; best of k: expected",
         "best quality of k rows; both over groups of at least k rows.",
         "Rows of programs have a table of their own: valid cells, mean rank among a group's valid ones, cells that",
         "one program alone won, best objective so far over the hidden instances, pairs and groups of programs with",
         "equal results. Rows with a rubric stand in a table by preset, and in no other: means, and how many a gate",
         "filtered. Judgements have a table, too, by the rows' `step`: how they agree with what is proven.",
         rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    auto how = std::make_shared<score_options>();
    auto options = std::make_shared<eval_options>();
    add_files(command, *files, "JSONL with scored rows, or with completions");
    add_score_options(command, *how);
    add_kind_options(command, ctx, *how);
    command.add_option("--bootstrap", options->resamples, "Resamples for the intervals, 0 for none")
        .between(0, 1'000'000)
        .show_default();
    command.add_option("--k", options->k, "Rows drawn for pass@k and best of k")
        .delimiter(',')
        .between(1, 1'000'000)
        .show_default();
    command.add_option("--correct", options->correct, "Least quality that counts as correct for pass@k; 0: feasible")
        .between(0.0, 1.0)
        .show_default();
    command.add_option("--suite", options->suites,
                       "Rates of a suite's tasks and levels, and which of its tasks have rows; may be repeated");
    add_improved_option(command, *how);
    add_baselines_option(command, *how);
    add_drift_option(command, options->allow_drift);
    command.on_run([&ctx, files, how, options] { eval(ctx, *files, *how, *options); });
}

}  // namespace optgap::cli
