#include "tools/cli/pay/kinds/program_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/programs/codes.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

using programs::program_language;

programs::batch_options batch_options_of(program_options const& options) {
    programs::batch_options out;
    out.fail_fast = options.fail_fast;
    out.repeats = options.repeats;
    out.dedupe = options.dedupe == "always" ? programs::dedupe_rule::always : programs::dedupe_rule::deterministic;
    return out;
}

std::vector<std::optional<baseline>> baselines_of(json_row const& row, std::int32_t count) {
    std::string_view const* const value = row.find("baselines");
    std::vector<std::optional<baseline>> out;
    if (value == nullptr || is_json_null(*value)) {
        return out;
    }
    auto const list = read_json(*value);
    if (!list.is_array() || std::int32_t(list.size()) != count) {
        throw field_error("baselines", fmt::format("must be a list with one {{objective, bound, proven}} or null for "
                                                   "each of the {} instances",
                                                   count));
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
        out.push_back(baseline_from(json_text(list[k]), fmt::format("baselines[{}]", k)));
    }
    return out;
}

/// A row's field, read by a function that throws error{invalid_argument}.
template <class Read>
auto field_of(std::string const& field, Read const& read) {
    try {
        return read();
    } catch (field_error const&) {
        throw;
    } catch (error const& refused) {
        throw field_error(field, refused.what());
    }
}

}  // namespace

program_claim read_program(json_row const& row, rollout const& roll, program_options const& options,
                           program_problems& problems) {
    program_claim out;
    auto const language = string_of(row, "language");
    if (!language) {
        throw field_error("language", "missing: the row's completion holds a program in python or cpp");
    }
    out.row.language = field_of("language", [&] { return programs::language_named(*language); });
    out.row.interface = field_of("interface", [&] {
        return programs::interface_named(string_of(row, "interface").value_or("stdio"), out.row.language);
    });
    auto const input = string_of(row, "input");
    out.row.input = input ? field_of("input", [&] { return programs::input_form_of(*input, out.row.interface); })
                          : programs::usual_form(out.row.language);
    std::string_view const* const limits = row.find("limits");
    if (!options.limits.empty()) {
        out.row.limits = programs::parse_limits(options.limits);
    } else if (limits != nullptr && !is_json_null(*limits)) {
        std::string const text = is_json_string(*limits) ? decode_json_string(*limits) : std::string(*limits);
        out.row.limits = field_of("limits", [&] { return programs::parse_limits(text); });
    }
    out.row.completion = roll.completion;
    out.row.format = &known_formats()[std::size_t(roll.format)];
    out.row.finished = roll.finished;
    out.problem = problems.add(row);
    out.given = baselines_of(row, problems.all()[std::size_t(out.problem)].rows.count);
    return out;
}

programs::sandbox& program_sandboxes::of(program_language language, bool steps) {
    place& here = places_[std::size_t(language)][std::size_t(steps)];
    if (here.open == nullptr && here.refused.empty()) {
        try {
            here.open = programs::open_sandbox(
                {.rung = options_.isolation, .slots = options_.slots, .languages = {language}, .steps = steps});
        } catch (error const& refused) {
            here.refused = refused.what();
        }
    }
    if (here.open == nullptr) {
        throw error(status::device_unavailable, here.refused);
    }
    return *here.open;
}

/// The program rows of one batch of lines.
struct program_rows::batch {
    explicit batch(context& ctx) : problems(ctx) {}

    program_problems problems;
    std::vector<std::size_t> item_of;  ///< per program row
    std::vector<program_claim> claims;
    std::vector<std::int32_t> length;
    std::vector<std::string> group;                          ///< as the row names it; empty: by problem
    std::vector<std::vector<store::found_baseline>> solved;  ///< per problem
};

program_rows::program_rows(context& ctx, program_options const& options, std::int64_t budget, store::snapshot* known)
    : ctx_(ctx), options_(options), budget_(budget), known_(known), sandboxes_(options) {
    if (!options_.limits.empty()) {
        static_cast<void>(programs::parse_limits(options_.limits));
    }
    if (options_.dedupe != "deterministic" && options_.dedupe != "always") {
        throw usage_error(fmt::format("--dedupe {}: expected deterministic or always", options_.dedupe));
    }
    if (!options_.timings.empty()) {
        timings_ = std::fopen(options_.timings.c_str(), "w");
        if (timings_ == nullptr) {
            throw usage_error(fmt::format("cannot write {}", options_.timings));
        }
    }
}

program_rows::~program_rows() {
    if (timings_ != nullptr) {
        std::fclose(timings_);
    }
}

void program_rows::claim(std::span<row_item> items, program_options const& options) {
    for (row_item& item : items) {
        if (!item.sound() || item.external || !is_program_row(item.row)) {
            continue;
        }
        item.program = true;
        if (options.isolation.empty() && !options.estimate) {
            item.reject("isolation",
                        "the row's completion is a program, and nothing is run unless asked: add "
                        "--isolation auto, or --estimate to see what it may cost");
        }
    }
}

void program_rows::read_batch(std::span<row_item> items, std::span<rollout const> rollouts, batch& out) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].program || !items[i].sound()) {
            continue;
        }
        try {
            out.claims.push_back(read_program(items[i].row, rollouts[i], options_, out.problems));
        } catch (field_error const& broken) {
            items[i].reject(broken.field(), broken.rule());
            continue;
        }
        out.claims.back().row.problem = out.claims.back().problem;
        out.item_of.push_back(i);
        out.length.push_back(rollouts[i].length);
        out.group.push_back(rollouts[i].group.empty() ? "" : std::string(rollouts[i].group));
    }
}

/// Baselines of all problems of which some row brings not all; each instance is proven once, also across batches.
void program_rows::solve(batch& in) {
    engine const& by = ctx_.get_engine();
    std::set<std::int32_t> asked;
    for (program_claim const& claim : in.claims) {
        if (claim.given.empty() || std::count(claim.given.begin(), claim.given.end(), std::nullopt) > 0) {
            asked.insert(claim.problem);
        }
    }
    for (program_problems::problem const& one : in.problems.all()) {
        if (!asked.contains(std::int32_t(in.solved.size()))) {
            in.solved.emplace_back();
            continue;
        }
        auto const [place, is_new] = solved_.try_emplace({one.task, hex32(one.hash)});
        if (is_new) {
            instance_batch instances;
            for (std::int32_t k = 0; k < one.rows.count; ++k) {
                instances.append(one.task, in.problems.words(one.rows.first + k));
            }
            place->second = store::baselines_of(by, instances.view(), one.specs, budget_, known_);
        }
        in.solved.push_back(place->second);
    }
}

void program_rows::reject_damaged(batch const& in, std::span<row_item> items) {
    for (std::size_t c = 0; c < in.claims.size(); ++c) {
        program_claim const& claim = in.claims[c];
        std::vector<store::found_baseline> const& known = in.solved[std::size_t(claim.problem)];
        for (std::size_t k = 0; k < known.size(); ++k) {
            if (!known[k].damage.empty() && (claim.given.empty() || !claim.given[k])) {
                items[in.item_of[c]].reject("baselines", known[k].damage);
                break;
            }
        }
    }
}

void program_rows::estimate(batch const& in) {
    for (program_claim const& claim : in.claims) {
        programs::program_row const& row = claim.row;
        programs::found_program const found = programs::extract_program(row.completion, *row.format, row.language,
                                                                        row.finished, row.limits.source_kb * 1024);
        ++estimated_.rows;
        if (found.code != code_ok) {
            continue;
        }
        std::int64_t const count = in.problems.all()[std::size_t(claim.problem)].rows.count;
        ++estimated_.programs;
        estimated_.runs += count * options_.repeats;
        estimated_.run_ms += double(count) * double(options_.repeats) * double(row.limits.run.cpu_ms);
        std::string const name = fmt::format("{} {}", name_of(row.language), programs::source_hash(found.source));
        if (estimated_.different.insert(name).second) {
            // Compiling with a precompiled header, and Python's own check of a file: measured, docs/sandbox.md.
            estimated_.compile_ms += row.language == program_language::cpp ? 700.0 : 50.0;
        }
    }
}

void program_rows::score(std::span<row_item> items, std::span<rollout const> rollouts, reward_rules const& reward,
                         bool ranks, std::function<std::int32_t(std::size_t, std::string const&)> const& group_of,
                         std::span<scored_row> out) {
    batch in(ctx_);
    read_batch(items, rollouts, in);
    if (in.claims.empty()) {
        return;
    }
    if (options_.estimate) {
        estimate(in);
        return;
    }
    solve(in);
    reject_damaged(in, items);
    for (int k = 0; k < 4; ++k) {  // python, cpp; each without steps and with
        run_language(program_language(k / 2), k % 2 == 1, in, items, reward, ranks, group_of, out);
    }
}

void program_rows::run_language(program_language language, bool steps, batch const& in, std::span<row_item> items,
                                reward_rules const& reward, bool ranks,
                                std::function<std::int32_t(std::size_t, std::string const&)> const& group_of,
                                std::span<scored_row> out) {
    engine const& by = ctx_.get_engine();
    std::vector<std::size_t> mine;
    for (std::size_t c = 0; c < in.claims.size(); ++c) {
        if (items[in.item_of[c]].sound() && in.claims[c].row.language == language &&
            (in.claims[c].row.limits.run.steps > 0) == steps) {
            mine.push_back(c);
        }
    }
    if (mine.empty()) {
        return;
    }
    programs::sandbox* held = nullptr;
    try {
        held = &sandboxes_.of(language, steps);
    } catch (error const& refused) {
        for (std::size_t const c : mine) {
            items[in.item_of[c]].reject("isolation", refused.what());
        }
        return;
    }
    // A row with baselines of its own has a problem of its own: the same instances, other baselines.
    instance_batch instances;
    std::vector<baseline> baselines;
    std::vector<programs::problem_rows> problems;
    std::vector<programs::program_row> rows;
    std::vector<std::int32_t> length, group;
    std::vector<std::int64_t> line_of;
    std::map<std::int32_t, std::int32_t> shared;
    for (std::size_t const c : mine) {
        program_claim const& claim = in.claims[c];
        program_problems::problem const& asked = in.problems.all()[std::size_t(claim.problem)];
        programs::program_row row = claim.row;
        auto const [place, is_new] = shared.try_emplace(claim.problem, std::int32_t(problems.size()));
        row.problem = place->second;
        if (is_new || !claim.given.empty()) {
            row.problem = std::int32_t(problems.size());
            problems.push_back({instances.size(), asked.rows.count});
            if (is_new && !claim.given.empty()) {
                shared.erase(place);
            }
            for (std::int32_t k = 0; k < asked.rows.count; ++k) {
                instances.append(asked.task, in.problems.words(asked.rows.first + k));
                std::optional<baseline> const given = claim.given.empty() ? std::nullopt : claim.given[std::size_t(k)];
                baselines.push_back(given ? *given : in.solved[std::size_t(claim.problem)][std::size_t(k)].value);
            }
        }
        rows.push_back(row);
        length.push_back(in.length[c]);
        line_of.push_back(items[in.item_of[c]].number);
        std::string const own = in.group[c].empty() ? fmt::format("problem {} {}", asked.task, hex32(asked.hash))
                                                    : fmt::format("group {}", in.group[c]);
        group.push_back(group_of(in.item_of[c], own));
    }
    programs::program_matrix const found =
        programs::run_programs(by, *held, instances.view(), problems, rows, batch_options_of(options_));
    pay::program_bill const bill{instances.view(), baselines, problems, rows, length};
    std::vector<pay::paid_program> const paid = pay::pay_programs(by, found, bill, reward);
    write_timings(found, line_of);
    counts_ += found.counts;
    if (options_.repeats > 1) {
        double const share = pay::rank_changes(by, found, bill, group);
        changed_ranks_ += share * double(found.cells.size());
        ranked_cells_ += std::int64_t(found.cells.size());
    }
    cells_ += std::int64_t(found.cells.size());
    for (std::size_t r = 0; r < mine.size(); ++r) {
        programs::problem_rows const& problem = problems[std::size_t(rows[r].problem)];
        std::span<programs::run_cell const> const cells = found.of_row(std::int64_t(r));
        scored_row& row = out[in.item_of[mine[r]]];
        row.value = paid[r].value;
        row.violation = paid[r].violation;
        row.task = instances.task[std::size_t(problem.first)];
        row.direction = by.tasks()[std::size_t(row.task)].objective_sense;
        row.answer = found.rows[r].span;
        row.proven = paid[r].proven;
        row.baseline_kind = ranks ? "ranked" : paid[r].baseline_kind;
        row.length = length[r];
        row.format = std::int32_t(rows[r].format - known_formats().data());
        row.group = group[r];
        row.program = std::int64_t(details_.size());
        program_details shown{
            .codes = paid[r].codes,
            .objectives = {},
            .scores = pay::scores_of(cells, paid[r].codes),
            .baselines = {baselines.begin() + problem.first, baselines.begin() + problem.first + problem.count},
            .valid = paid[r].valid,
            .hash = found.rows[r].hash,
            .rung = held->rung(language),
            .language = language,
            .masked = found.rows[r].masked};
        for (std::size_t k = 0; k < cells.size(); ++k) {
            bool const counts = paid[r].codes[k] == code_ok && cells[k].found.feasible();
            shown.objectives.push_back(counts ? cells[k].found.objective : no_objective);
        }
        details_.push_back(std::move(shown));
    }
}

}  // namespace optgap::cli
