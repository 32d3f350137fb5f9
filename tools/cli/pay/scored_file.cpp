#include "tools/cli/pay/scored_file.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "optgap/statistics.hpp"
#include "tools/cli/rows/row_place.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view columns[] = {"reward",    "advantage",     "keep",       "format",    "feasible",
                                        "quality",   "raw_ratio",     "normalized", "optimal",   "length_penalty",
                                        "objective", "violation",     "code",       "span",      "format_name",
                                        "baseline",  "baseline_kind", "proven",     "truncated", "fingerprint"};

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
    auto const number = [](std::int64_t value) { return value == no_objective ? "null" : std::to_string(value); };
    row.raw("baseline", fmt::format(R"({{"objective":{},"bound":{},"proven":{}}})", number(scored.baseline_objective),
                                    number(scored.baseline_bound), scored.proven));
    row.text("baseline_kind", scored.baseline_kind);
    row.boolean("proven", scored.proven);
    row.boolean("truncated", scored.value.truncated != 0);
    row.text("fingerprint", by.fingerprint());
}

/// The statistics of a file, by the cells that its rows name.
class file_statistics {
public:
    explicit file_statistics(scored_file_options const& options) : options_(options) {
        if (wanted()) {
            out_.open(options.stats);
            if (!out_) {
                throw usage_error(fmt::format("cannot write {}", options.stats));
            }
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
        out_ << to_json(all) << '\n';
        out_.close();
        if (!out_) {
            throw io_error(fmt::format("cannot write {}", options_.stats));
        }
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
    std::ofstream out_;
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
            stats.add(posed[i], sound ? by.task_name(batch[i]) : "");
        }
        scored.insert(scored.end(), batch.begin(), batch.end());
    }
    input.finish(ctx);
    std::vector<float> const advantages = by.advantages(scored);
    group_filter const groups = by.filter(scored);

    std::vector<std::string_view> added(std::begin(columns), std::end(columns));
    added.insert(added.end(), hooks.added.begin(), hooks.added.end());
    std::vector<std::string_view> added_by_chain = added;
    added_by_chain.insert(added_by_chain.end(), chain_rows::columns().begin(), chain_rows::columns().end());
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
            row_writer row = output.begin(items[i], chained ? added_by_chain : added);
            if (hooks.write) {
                hooks.write(row, posed[i], scored[next]);
            }
            write_columns(row, scored[next], advantages[next], groups.keep[next] != 0, by);
            if (chained) {
                by.chained().write(row, scored[next]);
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
    by.report_beaten();
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
