#include "host/rows/program/own_problems.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/problem.hpp"
#include "host/rows/codes.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/program/program.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/shown_text.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::rows {

bool is_own_problem_row(json_row const& row) {
    std::string_view const* const named = field_of(row, "problem");
    return named != nullptr && is_json_string(*named) && has(row, "language") && !has(row, "key") &&
           !has(row, "instances");
}

row_problem own_row_problem(json_row const& row) {
    std::string const named = *string_of(row, "problem");
    std::string_view const* const seeds = field_of(row, "seeds");
    return {fmt::format("{} {}", named, seeds == nullptr ? std::string_view() : *seeds),
            programs::name_of_own_problem(named), "explicit"};
}

std::vector<std::uint64_t> own_seeds(json_row const& row, programs::own_problem const& problem) {
    std::vector<std::uint64_t> out;
    std::string_view const* const given = field_of(row, "seeds");
    bool const tested = !problem.tests.empty();
    if (given == nullptr) {
        for (std::int32_t k = 0; k < problem.instances; ++k) {
            out.push_back(std::uint64_t(k) + (tested ? 0 : 1));
        }
        return out;
    }
    if (tested) {
        throw field_error("seeds", "the problem's instances are its tests: expected no seeds");
    }
    nlohmann::ordered_json const list = read_json(*given);
    bool const fits = list.is_array() && !list.empty() && list.size() <= std::size_t(programs::max_instances);
    for (std::size_t k = 0; fits && k < list.size() && list[k].is_number_unsigned(); ++k) {
        out.push_back(list[k].get<std::uint64_t>());
    }
    if (!fits || out.size() != list.size()) {
        throw field_error("seeds",
                          fmt::format("must be a list of 1 to {} integers, 0 or more", programs::max_instances));
    }
    return out;
}

std::string own_group(program_claim const& claim) {
    std::string seeds;
    for (std::uint64_t const seed : claim.seeds) {
        seeds += fmt::format(" {}", seed);
    }
    return fmt::format("problem {}{}", claim.own->problem().digest, seeds);
}

programs::own_problem_runs& own_problems::of(json_row const& row) {
    std::string const named = *string_of(row, "problem");
    known_problem& known = known_[named];
    known.last_use = ++uses_;
    if (known.runs == nullptr) {
        auto read = std::make_shared<programs::own_problem const>(programs::read_own_problem(named));
        if (!known.digest.empty() && known.digest != read->digest) {
            throw field_error("problem",
                              fmt::format("{} has changed since this run read it: its digest was {} and is {}", named,
                                          known.digest, read->digest));
        }
        known.digest = read->digest;
        known.runs = std::make_unique<programs::own_problem_runs>(std::move(read), in_);
    }
    return *known.runs;
}

void own_problems::keep_within(std::size_t bytes) {
    std::vector<known_problem*> kept;
    for (auto& [name, known] : known_) {
        if (known.runs != nullptr) {
            kept.push_back(&known);
        }
    }
    std::ranges::sort(kept, std::greater(), &known_problem::last_use);
    std::size_t used = 0;
    for (known_problem* const known : kept) {
        used += known->runs->kept_bytes();
        if (used > bytes) {
            known->runs.reset();
        }
    }
}

/// A fault of the problem's author rejects the row, whatever its program does.
void program_kind::run_own(programs::program_language language, bool steps, row_batch& batch,
                           std::span<graded_row> out) {
    ran_rows ran;
    std::vector<std::size_t> asked;
    for (std::size_t const i : batch.mine) {
        if (claims_[i].own != nullptr && claims_[i].row.language == language &&
            (claims_[i].row.limits.run.steps > 0) == steps) {
            asked.push_back(i);
        }
    }
    std::shared_ptr<programs::sandbox> const held =
        asked.empty() ? nullptr : sandbox_for(language, steps, asked, batch);
    if (held == nullptr) {
        return;
    }
    std::vector<programs::judged_instances::entry> instances;
    std::map<std::string, std::int32_t> shared;
    for (std::size_t const i : asked) {
        program_claim const& claim = claims_[i];
        std::vector<baseline> baselines;
        try {
            claim.own->prepare(claim.seeds, batch.stop);
            baselines = claim.own->baselines(claim.seeds, batch.stop);
        } catch (field_error const& broken) {
            batch.items[i].reject(broken.field(), broken.rule());
            continue;
        } catch (error const& failed) {
            batch.items[i].reject("isolation", failed.what());
            continue;
        }
        for (std::size_t k = 0; k < claim.given.size(); ++k) {
            baselines[k] = claim.given[k].value_or(baselines[k]);
        }
        programs::program_row row = claim.row;
        auto const [place, is_new] = shared.try_emplace(own_group(claim), std::int32_t(ran.problems.size()));
        row.problem = place->second;
        if (is_new || !claim.given.empty()) {
            row.problem = std::int32_t(ran.problems.size());
            if (is_new && !claim.given.empty()) {
                shared.erase(place);
            }
            programs::own_problem const& problem = claim.own->problem();
            ran.problems.push_back({std::int64_t(instances.size()), std::int32_t(claim.seeds.size())});
            ran.task.push_back(run_.names.task(problem.name));
            ran.direction.push_back(problem.direction);
            ran.digest.push_back(problem.digest);
            for (std::size_t k = 0; k < claim.seeds.size(); ++k) {
                instances.push_back({claim.own, claim.seeds[k]});
                ran.baselines.push_back(baselines[k]);
            }
        }
        ran.mine.push_back(i);
        ran.add_row(batch, i, row, group_[i]);
    }
    if (ran.mine.empty()) {
        return;
    }
    programs::judged_instances judged(std::move(instances), batch.stop);
    programs::program_matrix found =
        programs::run_programs(*held, judged, ran.problems, ran.rows, batch_options_of(options_, batch.stop));
    for (std::size_t r = 0; r < ran.mine.size(); ++r) {
        std::span<programs::run_cell const> const cells = found.of_row(std::int64_t(r));
        auto const fault = std::ranges::find_if(
            cells, [](programs::run_cell const& cell) { return cell.found.code == code_problem_fault; });
        if (fault != cells.end()) {
            batch.items[ran.mine[r]].reject("problem", judged.fault(fault->found));
            found.counts.masked -= 1;  // the machine lost nothing
        }
    }
    keep_rows(ran, found, {{}, ran.baselines, ran.problems, ran.rows, ran.length, ran.direction},
              held->isolation(language), out);
}

void program_kind::explain_own(explanation& out, program_claim const& claim, explained_rows const& rows) {
    graded_row const& graded = rows.row();
    program_details const& shown = details(graded);
    programs::own_problem const& problem = claim.own->problem();
    out.title = printable(fmt::format("{}@{}", problem.name, problem.digest.substr(0, 8)));
    out.about = fmt::format("a problem of your own, {} the score, {} hidden instances",
                            problem.direction == sense::minimise ? "minimise" : "maximise", claim.seeds.size());
    out.found = find(rows);
    programs::program_row const& row = claim.row;
    programs::found_program const text =
        programs::extract_program(row.completion, *row.format, row.language, row.finished, row.limits.source_kb * 1024);
    section& read =
        out.add_excerpt(fmt::format("completion, {} bytes", row.completion.size()), row.completion, text.span);
    read.add("format",
             fmt::format("{}: {}", row.format->name,
                         text.code == code_ok ? "well formed" : code_words(graded.task, text.code)),
             text.code == code_ok ? tone::good : tone::bad);
    section& verdicts = out.add("hidden instances, and the score on each");
    for (std::size_t k = 0; k < shown.codes.size(); ++k) {
        std::int64_t const best = shown.baselines[k].objective, mine = shown.objectives[k];
        verdicts.steps.push_back(
            {fmt::format("{} {}", problem.tests.empty() ? "seed" : "test", claim.seeds[k]),
             fmt::format("{}; reference {}", code_name(run_.by, graded.task, shown.codes[k]),
                         best == no_objective ? "-" : programs::score_text(best, problem.decimals)),
             mine == no_objective ? "-" : programs::score_text(mine, problem.decimals)});
    }
    if (text.code != code_ok) {
        return;
    }
    programs::sandbox& in = sandboxes_->kept(row.language, row.limits.run.steps > 0);
    programs::compile_result const ready =
        in.compile({row.language, text.source, row.limits.compile, {}, row.interface});
    if (ready.code != programs::run_code::ok) {
        out.add("").add("compile", printable(ready.first_line), tone::bad);
        return;
    }
    std::size_t failed = 0;
    while (failed + 1 < shown.codes.size() && shown.codes[failed] == code_ok) {
        ++failed;
    }
    failed = rows.instance >= 0 ? std::size_t(rows.instance) : shown.codes[failed] == code_ok ? 0 : failed;
    std::uint64_t const seed = claim.seeds[failed];
    claim.own->prepare({&seed, 1});
    programs::run_request request;
    request.program = ready.program;
    request.input = claim.own->input(seed);
    request.limits = row.limits.run;
    programs::run_result const ended = in.run(request);
    section& one = out.add(fmt::format("instance {}", failed));
    one.add("input", shortened(claim.own->input(seed), 200));
    one.add("ended", code_words(graded.task, programs::code_of(ended.code)));
    one.add("printed", shortened(ended.output, 200));
    if (!ended.error_head.empty()) {
        one.add("stderr", shortened(ended.error_head, 1600));
    }
    if (ended.code == programs::run_code::ok) {
        std::string_view const output = ended.output;
        programs::judgement_of_output const said = claim.own->judge({&output, 1}, {&seed, 1})[0];
        bool const right = said.found.code == code_ok;
        one.add("judge",
                right ? fmt::format("score {}", programs::score_text(said.found.objective, problem.decimals))
                      : fmt::format("{}: {}", code_name(run_.by, graded.task, said.found.code), said.reason),
                right ? tone::good : tone::bad);
    }
}

}  // namespace optgap::rows
