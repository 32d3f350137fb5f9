#include "tools/cli/score/scored_file.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "host/rows/read/row_place.hpp"
#include "optgap/statistics.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

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

    void write(scorer const& by, std::span<graded_row const> scored) {
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
    scorer by = make_scorer(ctx, options.score);
    file_statistics stats(options);
    row_input input(ctx, options.files, std::string(options.name), {}, true);
    auto const posed_of = [&](std::span<row_item> items) {
        return hooks.translate ? hooks.translate(items, by) : items;
    };
    std::vector<graded_row> scored;
    std::map<std::size_t, std::pair<std::string, std::string>> rejected;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        std::span<row_item> const posed = posed_of(items);
        std::vector<graded_row> const batch = by.score(posed);
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
    if (!by.report(scored).page.empty()) {
        print_report(ctx, by, scored);
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
            std::vector<std::string_view> added(by.columns(scored[next]).begin(), by.columns(scored[next]).end());
            added.insert(added.end(), hooks.added.begin(), hooks.added.end());
            row_writer row = output.begin(items[i], added);
            if (hooks.write) {
                hooks.write(row, posed[i], scored[next]);
            }
            by.write(row, scored[next], advantages[next], groups.keep[next] != 0);
            row.finish();
            output.end_row();
        }
    }
    if (next != scored.size()) {
        throw io_error("a file changed while it was read");
    }
    output.finish(ctx);
    stats.write(by, scored);
    print_report(ctx, by, scored);
    return by.fingerprint();
}

void add_stats_options(command_entry command, scored_file_options& options) {
    command.add_option("--stats", options.stats,
                       "File for counters per task and level, mergeable by optgap stats merge");
    command.add_option("--correct", options.correct, "Least quality that --stats counts as correct")
        .between(0.0, 1.0)
        .show_default();
}

}  // namespace optgap::cli
