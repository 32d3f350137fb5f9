// optgap rescore: rollout dumps of trainers, and our own scored rows, under another reward.

#include <cmath>
#include <deque>
#include <memory>

#include <fmt/format.h>

#include "optgap/run_record.hpp"
#include "tools/cli/rows/drift.hpp"
#include "tools/cli/rows/dump_row.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/score/scored_file.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

struct rescore_options {
    scored_file_options file;
    std::string from = "auto";
    bool allow_drift = false;
};

/// What became of the rewards, counted in the second pass.
struct changes {
    std::int64_t rows = 0, without_old = 0, up = 0, down = 0;
    double sum = 0, max_up = 0, max_down = 0;
    std::int64_t max_up_row = 0, max_down_row = 0;

    void add(float delta, std::int64_t row) {
        up += delta > 0 ? 1 : 0;
        down += delta < 0 ? 1 : 0;
        sum += double(delta);
        if (double(delta) > max_up) {
            max_up = double(delta), max_up_row = row;
        }
        if (double(delta) < max_down) {
            max_down = double(delta), max_down_row = row;
        }
    }

    [[nodiscard]] std::string text() const {
        std::int64_t const compared = rows - without_old;
        std::string out = fmt::format("{} row{}: {} rewards changed", rows, rows == 1 ? "" : "s", up + down);
        if (up + down > 0) {
            out += fmt::format(" ({} up, {} down), mean change {:+.6g}", up, down, sum / double(compared));
        }
        out += up == 0 ? "" : fmt::format(", most {:+.6g} in row {}", max_up, max_up_row);
        out += down == 0 ? "" : fmt::format(", least {:+.6g} in row {}", max_down, max_down_row);
        return out + (without_old == 0 ? "" : fmt::format("; {} had no reward before or have none now", without_old));
    }
};

class dump_reader {
public:
    explicit dump_reader(rescore_options const& options)
        : source_(dump_source_named(options.from)), guard_(options.allow_drift) {}

    /// Each item's row as score reads it. A row that a kind marks as its own is one already.
    std::span<row_item> translate(std::span<row_item> items, scorer const& by) {
        dumped_.clear();
        posed_.assign(items.size(), {});
        for (std::size_t i = 0; i < items.size(); ++i) {
            row_item& out = posed_[i];
            dump_row& dumped = dumped_.emplace_back();
            out.number = items[i].number;
            if (!items[i].sound()) {
                out.reject(items[i].field, items[i].rule);
                continue;
            }
            guard_.check(items[i].row, items[i].number);
            try {
                row_kind const* const kind = by.claimed_by(items[i].row);
                bool const marked = kind != nullptr && kind->claims(items[i].row) == claim::marked;
                dumped = marked ? whole_row(items[i].row) : read_dump_row(items[i].row, source_);
                out.take(dumped.line, items[i].number);
            } catch (field_error const& broken) {
                out.reject(broken.field(), broken.rule());
            }
        }
        return posed_;
    }

    void write(row_writer& row, row_item const& posed, graded_row const& scored) {
        dump_row const& of = dumped_[std::size_t(&posed - posed_.data())];
        float const now = scored.value.reward;
        float const before = of.old.value_or(std::nanf(""));
        ++found_.rows;
        std::isnan(now - before) ? void(++found_.without_old) : found_.add(now - before, posed.number);
        if (!of.key.empty()) {
            row.raw("key", of.key);
        }
        if (!of.group.empty()) {
            row.raw("group", of.group);
        }
        row.real("old_reward", before);
        row.real("delta", now - before);
    }

    [[nodiscard]] changes const& found() const { return found_; }
    [[nodiscard]] std::string const& old_fingerprint() const { return guard_.fingerprint(); }

private:
    dump_source source_;
    drift_guard guard_;
    std::deque<dump_row> dumped_;
    std::vector<row_item> posed_;
    changes found_;
};

void rescore(context& ctx, rescore_options const& options) {
    dump_reader reader(options);
    scored_file_hooks hooks;
    hooks.translate = [&](std::span<row_item> items, scorer const& by) { return reader.translate(items, by); };
    hooks.write = [&](row_writer& row, row_item const& posed, graded_row const& scored) {
        reader.write(row, posed, scored);
    };
    hooks.added = {"old_reward", "delta"};
    std::string const now = score_files(ctx, options.file, hooks);
    ctx.note(reader.found().text());
    if (std::string const& before = reader.old_fingerprint(); !before.empty()) {
        std::string const parts = differing_parts(before, now);
        ctx.note(fmt::format("fingerprint {} before, {} now: {}", before, now,
                             parts.empty() ? "the same" : "other " + parts));
    }
}

}  // namespace

void add_rescore(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "rescore", "Rollout dumps of verl, TRL, slime, OpenRLHF or optgap under another reward",
        {R"(optgap rescore rollouts/120.jsonl --reward '{"infeasible": "graded"}' > rescored.jsonl)",
         "optgap rescore scored.jsonl --reward binary --advantage dr_grpo --improved better.jsonl"},
        {"Each row holds what the model wrote and, as ground truth, a key, or an object with `key` (or `task` and",
         "`instance`) and perhaps `format` and `baseline`. Field names per trainer: docs/debugging.md.",
         "Added: old_reward, delta (both null without an old or a new reward), all that score adds, and key and group",
         "where the dump's row has none. stderr says how many rewards changed, and by how much.", rows_help});
    auto options = std::make_shared<rescore_options>();
    options->file.name = "rescore";
    add_files(command, options->file.files, "JSONL dumps");
    add_score_options(command, options->file.score);
    add_kind_options(command, ctx, options->file.score);
    add_improved_option(command, options->file.score);
    add_baselines_option(command, options->file.score);
    add_stats_options(command, options->file);
    add_drift_option(command, options->allow_drift);
    command.add_option("--from", options->from, "auto (each row by its fields), verl, trl, slime, openrlhf or optgap")
        .show_default();
    command.on_run([&ctx, options] { rescore(ctx, *options); });
}

}  // namespace optgap::cli
