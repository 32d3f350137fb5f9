#include "tools/cli/pay/scored_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "optgap/statistics.hpp"
#include "tools/cli/rows/row_place.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view columns[] = {"reward",    "advantage",     "keep",       "format",    "feasible",
                                        "quality",   "raw_ratio",     "normalized", "optimal",   "length_penalty",
                                        "objective", "violation",     "code",       "span",      "format_name",
                                        "baseline",  "baseline_kind", "proven",     "truncated", "fingerprint"};

/// More of them in rows whose completion is a program; the last two with --matrix alone.
constexpr std::string_view program_columns[] = {"codes",   "objectives", "baselines", "valid", "isolation",
                                                "program", "masked",     "scores",    "sense"};

std::string objective_or_null(std::int64_t value) { return value == no_objective ? "null" : std::to_string(value); }

template <class Values, class Append>
std::string list_text(Values const& values, Append const& append) {
    std::string out = "[";
    for (auto const& value : values) {
        out += out.size() > 1 ? "," : "";
        append(out, value);
    }
    return out + "]";
}

/// What a row shows beside the columns of all rows, where its completion is a program.
void write_program(row_writer& row, program_details const& shown, scored_row const& scored, scorer const& by) {
    row.raw("codes", list_text(shown.codes, [&](std::string& out, std::int32_t code) {
                append_json_string(out, by.code_name(scored.task, code));
            }));
    row.raw("objectives",
            list_text(shown.objectives, [](std::string& out, std::int64_t value) { out += objective_or_null(value); }));
    row.raw("baselines", list_text(shown.baselines, [](std::string& out, baseline const& known) {
                out += fmt::format(R"({{"objective":{},"bound":{},"proven":{},"floor":{},"greedy":{}}})",
                                   objective_or_null(known.objective), objective_or_null(known.bound), known.proven(),
                                   objective_or_null(known.floor), objective_or_null(known.greedy));
            }));
    row.real("valid", float(shown.valid));
    row.text("isolation", shown.rung);
    row.raw("program", shown.hash.empty()
                           ? fmt::format(R"({{"language":"{}","hash":null}})", name_of(shown.language))
                           : fmt::format(R"({{"language":"{}","hash":"{}"}})", name_of(shown.language), shown.hash));
    row.boolean("masked", shown.masked);
    if (by.options().programs.matrix) {
        row.raw("scores", list_text(shown.scores, [](std::string& out, double value) {
                    out += std::isnan(value) ? "null" : fmt::format("{:.0f}", value);
                }));
        row.text("sense", scored.direction == sense::maximise ? "maximise" : "minimise");
    }
}

void write_columns(row_writer& row, scored_row const& scored, float advantage, bool keep, scorer const& by) {
    row.real("reward", scored.value.reward);
    row.real("advantage", advantage);
    row.integer("keep", keep ? 1 : 0);
    row.integer("format", scored.value.format > 0 ? 1 : 0);
    row.integer("feasible", scored.value.feasible > 0 ? 1 : 0);
    row.real("quality", scored.value.quality);
    row.real("raw_ratio", scored.value.raw_ratio);
    row.real("normalized", scored.value.normalized);
    row.real("optimal", scored.value.optimal);
    row.real("length_penalty", scored.value.length_penalty);
    row.integer_or_null("objective", scored.objective, no_objective);
    row.integer("violation", scored.violation);
    row.text("code", by.code_name(scored));
    row.raw("span", fmt::format("[{},{}]", scored.answer.begin, scored.answer.end));
    if (scored.format < 0) {
        row.raw("format_name", "null");
    } else {
        row.text("format_name", to_text(known_formats()[std::size_t(scored.format)]));
    }
    program_details const* const program = by.program_of(scored);
    row.raw("baseline", program != nullptr ? std::string("null")
                                           : fmt::format(R"({{"objective":{},"bound":{},"proven":{}}})",
                                                         objective_or_null(scored.baseline_objective),
                                                         objective_or_null(scored.baseline_bound), scored.proven));
    row.text("baseline_kind", scored.baseline_kind);
    row.boolean("proven", scored.proven);
    row.boolean("truncated", scored.value.truncated != 0);
    row.text("fingerprint", by.fingerprint());
    if (program != nullptr) {
        write_program(row, *program, scored, by);
    }
}

/// The statistics of a file, by the cells that its rows name.
class file_statistics {
public:
    explicit file_statistics(scored_file_options const& options) : options_(options) {
        if (wanted()) {
            out_.emplace(options.stats);
        }
    }
    [[nodiscard]] bool wanted() const { return !options_.stats.empty(); }

    /// The next row, of task `name`; those that were rejected count nowhere.
    void add(row_item const& posed, std::string_view name) {
        std::int32_t cell = 0;
        if (wanted() && posed.sound()) {
            statistics::place const place{name, level_of(posed.row)};
            cell = numbers_.try_emplace(place, std::int32_t(numbers_.size())).first->second;
        }
        cell_of_.push_back(cell);
    }

    void write(scorer const& by, std::span<scored_row const> scored) {
        if (!wanted()) {
            return;
        }
        std::vector<cell_statistics> cells(numbers_.size());
        for (std::size_t i = 0; i < scored.size(); ++i) {
            if (scored[i].group >= 0) {
                cells[std::size_t(cell_of_[i])].add(scored[i].value, options_.correct);
            }
        }
        group_filter const groups = by.filter(scored, cell_of_, std::max(1, std::int32_t(numbers_.size())));
        statistics all;
        all.correct_from = options_.correct;
        all.run = by.record();
        for (auto const& [place, number] : numbers_) {
            cells[std::size_t(number)].groups =
                groups.cells.empty() ? group_counts{} : groups.cells[std::size_t(number)];
            all.cells[place] = cells[std::size_t(number)];
        }
        out_->write(to_json(all) + '\n');
    }

private:
    static std::string level_of(json_row const& row) {
        try {
            return place_of(row).level;
        } catch (field_error const&) {
            return "explicit";  // a user's own column of that name
        }
    }

    scored_file_options const& options_;
    std::optional<whole_file> out_;
    std::map<statistics::place, std::int32_t> numbers_;
    std::vector<std::int32_t> cell_of_;
};

}  // namespace

std::string score_files(context& ctx, scored_file_options const& options, scored_file_hooks const& hooks) {
    scorer by(ctx, options.score);
    file_statistics stats(options);
    row_input input(ctx, options.files, std::string(options.name), {}, true);
    auto const posed_of = [&](std::span<row_item> items) { return hooks.translate ? hooks.translate(items) : items; };
    std::vector<scored_row> scored;
    std::map<std::size_t, std::pair<std::string, std::string>> rejected;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        std::span<row_item> const posed = posed_of(items);
        std::vector<scored_row> const batch = by.score(posed);
        for (std::size_t i = 0; i < posed.size(); ++i) {
            if (!posed[i].sound()) {
                rejected.emplace(scored.size() + i, std::pair(posed[i].field, posed[i].rule));
            }
            bool const sound = posed[i].sound();
            stats.add(posed[i], sound && batch[i].task >= 0 ? by.task_name(batch[i]) : "");
        }
        scored.insert(scored.end(), batch.begin(), batch.end());
    }
    input.finish(ctx);
    if (options.score.programs.estimate) {
        by.report(scored);
        if (!rejected.empty()) {
            auto const& [field, rule] = rejected.begin()->second;
            ctx.note(fmt::format("{} row{} cannot be read, first {}: {}", rejected.size(),
                                 rejected.size() == 1 ? "" : "s", field, rule));
            ctx.end_with(exit_rejected);
        }
        return by.fingerprint();
    }
    by.settle(scored);
    std::vector<float> const advantages = by.advantages(scored);
    group_filter const groups = by.filter(scored);

    std::vector<std::string_view> added(std::begin(columns), std::end(columns));
    std::vector<std::string_view> program_added = added;
    program_added.insert(program_added.end(), std::begin(program_columns),
                         std::end(program_columns) - (options.score.programs.matrix ? 0 : 2));
    program_added.insert(program_added.end(), hooks.added.begin(), hooks.added.end());
    added.insert(added.end(), hooks.added.begin(), hooks.added.end());
    std::vector<std::string_view> added_by_chain = added;
    added_by_chain.insert(added_by_chain.end(), chain_rows::columns().begin(), chain_rows::columns().end());
    std::vector<std::string_view> added_by_proposal = added;
    added_by_proposal.insert(added_by_proposal.end(), proposal_rows::columns().begin(), proposal_rows::columns().end());
    std::vector<std::string_view> added_by_judgement = added;
    added_by_judgement.insert(added_by_judgement.end(), judgement_rows::columns().begin(),
                              judgement_rows::columns().end());
    row_output output;
    input.rewind();
    std::size_t next = 0;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        std::span<row_item> const posed = posed_of(items);
        for (std::size_t i = 0; i < items.size(); ++i, ++next) {
            if (next == scored.size()) {
                throw io_error("a file changed while it was read");
            }
            if (auto const why = rejected.find(next); why != rejected.end()) {
                items[i].reject(why->second.first, why->second.second);
            }
            if (!items[i].sound()) {
                output.reject(items[i]);
                continue;
            }
            bool const chained = scored[next].chain >= 0;
            bool const program = scored[next].program >= 0;
            bool const proposal = scored[next].proposal >= 0;
            bool const judges = scored[next].judgement >= 0;
            row_writer row = output.begin(items[i], chained    ? added_by_chain
                                                    : program  ? program_added
                                                    : proposal ? added_by_proposal
                                                    : judges   ? added_by_judgement
                                                               : added);
            if (hooks.write) {
                hooks.write(row, posed[i], scored[next]);
            }
            write_columns(row, scored[next], advantages[next], groups.keep[next] != 0, by);
            if (chained) {
                by.chained().write(row, scored[next]);
            }
            if (proposal) {
                by.proposed().write(row, scored[next]);
            }
            if (judges) {
                by.judged().write(row, scored[next]);
            }
            row.finish();
            output.end_row();
        }
    }
    if (next != scored.size()) {
        throw io_error("a file changed while it was read");
    }
    output.finish(ctx);
    stats.write(by, scored);
    by.report(scored);
    return by.fingerprint();
}

void add_stats_options(command_entry command, scored_file_options& options) {
    command.add_option("--stats", options.stats,
                       "File for counters per task and level, mergeable by optgap stats merge");
    command.add_option("--correct", options.correct, "Least quality of a row that --stats counts as correct")
        .between(0.0, 1.0)
        .show_default();
}

}  // namespace optgap::cli
