// Rows whose completion is a program (docs/programs.md): {"key": "tsp@1:train:hard:42*10", "language": "python",
// "completion": "…"}. They run only where the options name an isolation level; otherwise each is an error row.

#include "host/rows/program/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "host/rows/codes.hpp"
#include "host/rows/program/options.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::rows {
namespace {

using programs::program_language;

constexpr column program_reads[] = {
    {"key", column_type::text, "names several hidden instances: tsp@1:train:hard:42*10"},
    {"problem", column_type::text, "in place of a key: folder or archive of a problem of your own, or path@DIGEST"},
    {"seeds", column_type::json, "of such a problem's instances; else the first ones"},
    {"task", column_type::text, "of instances of your own"},
    {"instances", column_type::json, "a list of instances of your own"},
    {"language", column_type::text, "python or cpp"},
    {"completion", column_type::text, "what the model wrote, the program in a fenced block"},
    {"interface", column_type::text, "stdio, or how else the program is called"},
    {"input", column_type::text, "the form of its input"},
    {"limits", column_type::json, "train, river, ahc, or an object of limits"},
    {"baselines", column_type::json, "a list with {objective, bound, proven} or null for each instance"}};
constexpr column program_adds[] = {
    {"codes", column_type::json, "of each instance"},
    {"objectives", column_type::json, "of each instance; null where invalid"},
    {"baselines", column_type::json, "of each instance"},
    {"valid", column_type::real, "share of valid answers, 0 to 1"},
    {"isolation", column_type::text, "the isolation level that held the program"},
    {"program", column_type::json, "{language, hash}; of a problem of your own also its digest and sense"},
    {"masked", column_type::boolean, "the machine failed: the row has no reward"},
    {"scores", column_type::json, "with --matrix: what is ranked, an entry an instance; null where invalid"},
    {"sense", column_type::text, "with --matrix: maximise or minimise"}};
constexpr std::size_t matrix_columns = 2;
constexpr kind_info program_info{
    .name = "program",
    .page = "programs.md",
    .known_by = "`language`, and a key of several hidden instances (`…*10`), `instances` or `problem`",
    .rank = 10,
    .reads = program_reads,
    .adds = program_adds,
    .options = program_option::all,
    .codes = {code_program_missing, program_code_end,
              [](std::int32_t code) -> std::string_view { return program_code_name(code); }},
    .place = graded_in::slot};

std::string_view sense_name(sense direction) { return direction == sense::maximise ? "maximise" : "minimise"; }

template <class Values, class Append>
std::string list_text(Values const& values, Append const& append) {
    std::string out = "[";
    for (auto const& value : values) {
        out += out.size() > 1 ? "," : "";
        append(out, value);
    }
    return out + "]";
}

}  // namespace

programs::batch_options batch_options_of(program_options const& options, std::stop_token const& stop) {
    programs::batch_options out;
    out.fail_fast = options.fail_fast;
    out.repeats = options.repeats;
    out.stop = stop;
    out.dedupe = options.dedupe == "always" ? programs::dedupe_rule::always : programs::dedupe_rule::deterministic;
    return out;
}

program_kind::program_kind(run_services& run)
    : run_(run),
      options_(program_options_of(run.options.kinds)),
      sandboxes_(sandboxes_of(run, options_)),
      problems_(run.by),
      own_([this](program_language language) -> programs::sandbox& { return sandboxes_->kept(language); }) {
    if (!options_.limits.empty()) {
        static_cast<void>(programs::parse_limits(options_.limits));
    }
    if (options_.dedupe != "deterministic" && options_.dedupe != "always") {
        misuse(fmt::format("--dedupe {}: expected deterministic or always", options_.dedupe));
    }
    if (!options_.timings.empty()) {
        timings_ = std::fopen(options_.timings.c_str(), "w");
        if (timings_ == nullptr) {
            misuse(fmt::format("cannot write {}", options_.timings));
        }
    }
}

program_kind::~program_kind() {
    if (timings_ != nullptr) {
        std::fclose(timings_);
    }
}

kind_info const& program_kind::info() const { return program_info; }

claim program_kind::claims(json_row const& row) const { return is_program_row(row) ? claim::marked : claim::none; }

row_problem program_kind::problem(json_row const& row) const {
    return is_own_problem_row(row) ? own_row_problem(row) : row_kind::problem(row);
}

void program_kind::read(row_batch& batch) {
    claims_.assign(batch.items.size(), {});
    problems_ = program_problems(run_.by);
    own_.keep_within(max_kept_problem_bytes);
    batch.each([&](std::size_t i) {
        if (options_.isolation.empty() && !options_.estimate) {
            throw field_error("isolation",
                              "the row's completion is a program, and nothing is run unless asked: add "
                              "--isolation auto, or --estimate to see what it may cost");
        }
        batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts, format_use::programs);
        require_tokens(batch.rollouts[i], run_.reward);
    });
}

/// Wants all instances that some row gives no baseline for.
void program_kind::wants(row_batch& batch, wanted_baselines& out) {
    batch.each([&](std::size_t i) {
        claims_[i] = read_program(batch.items[i].row, batch.rollouts[i], options_, problems_, own_);
        claims_[i].row.problem = claims_[i].problem;
    });
    wanted_.assign(problems_.all().size(), {});
    if (options_.estimate) {
        return;
    }
    for (std::size_t const i : batch.mine) {
        program_claim const& claim = claims_[i];
        if (claim.own != nullptr) {
            continue;
        }
        std::vector<std::int32_t>& wanted = wanted_[std::size_t(claim.problem)];
        if (!wanted.empty() ||
            (!claim.given.empty() && std::count(claim.given.begin(), claim.given.end(), std::nullopt) == 0)) {
            continue;
        }
        program_problems::problem const& asked = problems_.all()[std::size_t(claim.problem)];
        for (std::int32_t k = 0; k < asked.rows.count; ++k) {
            wanted.push_back(out.add(asked.task, problems_.words(asked.rows.first + k), asked.specs[std::size_t(k)]));
        }
    }
}

void program_kind::grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) {
    if (options_.estimate) {
        estimate(batch);
        return;
    }
    for (std::size_t const i : batch.mine) {  // rejects those with a damaged row of the snapshot
        program_claim const& claim = claims_[i];
        if (claim.own != nullptr) {
            continue;
        }
        std::vector<std::int32_t> const& wanted = wanted_[std::size_t(claim.problem)];
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            std::string const& damage = known[std::size_t(wanted[k])].damage;
            if (!damage.empty() && (claim.given.empty() || !claim.given[k])) {
                batch.items[i].reject("baselines", damage);
            }
        }
    }
    batch.drop_rejected();
    group_.assign(batch.items.size(), -1);
    batch.each([&](std::size_t i) {
        program_claim const& claim = claims_[i];
        if (claim.own != nullptr) {
            group_[i] = run_.names.group(batch.group_of(i, own_group(claim)));
            return;
        }
        program_problems::problem const& asked = problems_.all()[std::size_t(claim.problem)];
        group_[i] = run_.names.group(batch.group_of(i, fmt::format("problem {} {}", asked.task, hex32(asked.hash))));
        for (std::size_t k = 0; k < claim.given.size(); ++k) {
            if (claim.given[k]) {
                instance_hash const instance = hash_words(problems_.words(asked.rows.first + std::int64_t(k)));
                run_.require_given(i, group_[i],
                                   {asked.task, instance, *claim.given[k], fmt::format("baselines[{}]", k)});
            }
        }
    });
    for (int k = 0; k < 4; ++k) {  // python and cpp, each without steps and with them
        run_language(program_language(k / 2), k % 2 == 1, batch, known, out);
        run_own(program_language(k / 2), k % 2 == 1, batch, out);
    }
}

void program_kind::ran_rows::add_row(row_batch const& batch, std::size_t i, programs::program_row const& row,
                                     std::int32_t its_group) {
    rows.push_back(row);
    length.push_back(batch.rollouts[i].length);
    line_of.push_back(batch.items[i].number);
    group.push_back(its_group);
}

std::shared_ptr<programs::sandbox> program_kind::sandbox_for(program_language language, bool steps,
                                                             std::span<std::size_t const> mine, row_batch& batch) {
    try {
        return sandboxes_->holding({language}, steps);
    } catch (error const& refused) {
        for (std::size_t const i : mine) {
            batch.items[i].reject("isolation", refused.what());
        }
        return nullptr;
    }
}

void program_kind::run_language(program_language language, bool steps, row_batch& batch,
                                std::span<sourced_baseline const> known, std::span<graded_row> out) {
    engine const& by = run_.by;
    ran_rows ran;
    for (std::size_t const i : batch.mine) {
        if (claims_[i].own == nullptr && claims_[i].row.language == language &&
            (claims_[i].row.limits.run.steps > 0) == steps) {
            ran.mine.push_back(i);
        }
    }
    std::shared_ptr<programs::sandbox> const held =
        ran.mine.empty() ? nullptr : sandbox_for(language, steps, ran.mine, batch);
    if (held == nullptr) {
        return;
    }
    // A row with baselines of its own has a problem of its own: the same instances with other baselines.
    instance_batch instances;
    std::map<std::int32_t, std::int32_t> shared;
    for (std::size_t const i : ran.mine) {
        program_claim const& claim = claims_[i];
        program_problems::problem const& asked = problems_.all()[std::size_t(claim.problem)];
        programs::program_row row = claim.row;
        auto const [place, is_new] = shared.try_emplace(claim.problem, std::int32_t(ran.problems.size()));
        row.problem = place->second;
        if (is_new || !claim.given.empty()) {
            row.problem = std::int32_t(ran.problems.size());
            ran.problems.push_back({instances.size(), asked.rows.count});
            ran.task.push_back(asked.task);
            ran.direction.push_back(by.tasks()[std::size_t(asked.task)].objective_sense);
            ran.digest.emplace_back();
            if (is_new && !claim.given.empty()) {
                shared.erase(place);
            }
            for (std::int32_t k = 0; k < asked.rows.count; ++k) {
                instances.append(asked.task, problems_.words(asked.rows.first + k));
                std::optional<baseline> const given = claim.given.empty() ? std::nullopt : claim.given[std::size_t(k)];
                ran.baselines.push_back(
                    given ? *given : known[std::size_t(wanted_[std::size_t(claim.problem)][std::size_t(k)])].value);
            }
        }
        ran.add_row(batch, i, row, group_[i]);
    }
    programs::program_matrix const found = programs::run_programs(by, *held, instances.view(), ran.problems, ran.rows,
                                                                  batch_options_of(options_, batch.stop));
    keep_rows(ran, found, {instances.view(), ran.baselines, ran.problems, ran.rows, ran.length, {}},
              held->isolation(language), out);
}

void program_kind::keep_rows(ran_rows const& ran, programs::program_matrix const& found,
                             program_runs::program_bill const& bill, std::string const& isolation,
                             std::span<graded_row> out) {
    engine const& by = run_.by;
    std::vector<program_runs::program_reward> const rewarded =
        program_runs::reward_programs(by, found, bill, run_.reward);
    write_timings(found, ran.line_of);
    counts_ += found.counts;
    if (options_.repeats > 1) {
        double const share = program_runs::rank_changes(by, found, bill, ran.group);
        changed_ranks_ += share * double(found.cells.size());
        ranked_cells_ += std::int64_t(found.cells.size());
    }
    cells_ += std::int64_t(found.cells.size());
    for (std::size_t r = 0; r < ran.mine.size(); ++r) {
        std::size_t const place = std::size_t(ran.rows[r].problem);
        programs::problem_rows const& problem = ran.problems[place];
        std::span<programs::run_cell const> const cells = found.of_row(std::int64_t(r));
        graded_row& row = out[ran.mine[r]];
        row.value = rewarded[r].value;
        row.reached = rewarded[r].valid == 1 && row.value.raw_ratio >= 1;
        row.violation = rewarded[r].violation;
        row.task = ran.task[place];
        row.direction = ran.direction[place];
        row.answer = found.rows[r].span;
        row.proven = rewarded[r].proven;
        row.baseline_kind = run_.ranks_scores ? "ranked" : rewarded[r].baseline_kind;
        row.length = ran.length[r];
        row.format = std::int32_t(ran.rows[r].format - known_formats().data());
        row.group = ran.group[r];
        row.entry = std::int64_t(details_.size());
        program_details shown{
            .codes = rewarded[r].codes,
            .objectives = {},
            .scores = program_runs::scores_of(cells, rewarded[r].codes),
            .baselines = {ran.baselines.begin() + problem.first, ran.baselines.begin() + problem.first + problem.count},
            .valid = rewarded[r].valid,
            .hash = found.rows[r].hash,
            .isolation = isolation,
            .language = ran.rows[r].language,
            .masked = found.rows[r].masked,
            .compile_line = found.rows[r].compile_line,
            .problem = ran.digest[place],
            .direction = row.direction};
        for (std::size_t k = 0; k < cells.size(); ++k) {
            bool const counts = rewarded[r].codes[k] == code_ok && cells[k].found.feasible();
            shown.objectives.push_back(counts ? cells[k].found.objective : no_objective);
        }
        details_.push_back(std::move(shown));
    }
}

std::span<double const> program_kind::scores(graded_row const& row) const { return details(row).scores; }

std::vector<std::string_view> program_kind::added() const {
    std::vector<std::string_view> names = row_kind::added();
    names.resize(names.size() - (options_.matrix ? 0 : matrix_columns));
    return names;
}

void program_kind::write(row_sink& out, graded_row const& row) const {
    program_details const& shown = details(row);
    out.raw("codes", list_text(shown.codes, [&](std::string& to, std::int32_t code) {
                append_json_string(to, code_name(run_.by, row.task, code));
            }));
    out.raw("objectives",
            list_text(shown.objectives, [](std::string& to, std::int64_t value) { to += objective_or_null(value); }));
    out.raw("baselines", list_text(shown.baselines, [](std::string& to, baseline const& known) {
                to += fmt::format(R"({{"objective":{},"bound":{},"proven":{},"floor":{},"greedy":{}}})",
                                  objective_or_null(known.objective), objective_or_null(known.bound), known.proven(),
                                  objective_or_null(known.floor), objective_or_null(known.greedy));
            }));
    out.real("valid", float(shown.valid));
    out.text("isolation", shown.isolation);
    std::string const digest = shown.problem.empty() ? std::string()
                                                     : fmt::format(R"(,"problem":"{}","sense":"{}")", shown.problem,
                                                                   sense_name(row.direction));
    std::string const hash = shown.hash.empty() ? "null" : fmt::format(R"("{}")", shown.hash);
    out.raw("program", fmt::format(R"({{"language":"{}","hash":{}{}}})", name_of(shown.language), hash, digest));
    out.boolean("masked", shown.masked);
    if (options_.matrix) {
        out.raw("scores", list_text(shown.scores, [](std::string& to, double value) {
                    to += std::isnan(value) ? "null" : fmt::format("{:.0f}", value);
                }));
        out.text("sense", sense_name(row.direction));
    }
}

std::shared_ptr<void> program_kind::take(graded_row const& row) {
    return std::make_shared<kept_row>(
        kept_row{std::move(details_[std::size_t(row.entry)]), std::exchange(counts_, {}), std::exchange(cells_, 0)});
}

void program_kind::put(graded_row& row, std::shared_ptr<void> const& kept) {
    kept_row const& known = *std::static_pointer_cast<kept_row>(kept);
    row.entry = std::int64_t(details_.size());
    details_.push_back(known.shown);
    counts_ += known.counts;
    cells_ += known.cells;
}

void program_kind::forget() {
    details_.clear();
    counts_ = {};
    changed_ranks_ = 0;
    ranked_cells_ = cells_ = 0;
}

kind_entry program_rows() { return {&program_info, make_kind<program_kind>}; }

}  // namespace optgap::rows
