// optgap explain: one row, for people or for the model that wrote it.

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

struct explain_options {
    std::string file;
    std::int64_t row = 1;
    std::int32_t instance = -1;
    std::string feedback;
    score_options score;
};

/// Rows that are scored together, so that one of them can be explained.
class rows_by_kind {
public:
    /// Keeps a sound row of a kind whose rows depend on each other.
    void keep(row_kind const& kind, row_item const& item) {
        row_writer(lines_[&kind][item.number], &item.row).finish();
    }
    /// The kept rows of a kind. They borrow the kept lines.
    [[nodiscard]] std::vector<row_item> items(row_kind const& kind) {
        std::vector<row_item> out;
        for (auto const& [number, line] : lines_[&kind]) {
            out.emplace_back().take(std::string_view(line).substr(0, line.size() - 1), number);
        }
        return out;
    }

private:
    std::map<row_kind const*, std::map<std::int64_t, std::string>> lines_;
};

void write_explained(context& ctx, scorer& by, std::span<row_item> items, std::size_t own,
                     explain_options const& options) {
    row_item& item = items[own];
    try {
        write_stdout(options.feedback.empty()
                         ? explanation_text(by.explain(items, own, options.instance), item.number,
                                            painter(isatty(STDOUT_FILENO) == 1))
                         : feedback_text(by.find(items, own), feedback_level_named(options.feedback)) + "\n");
    } catch (field_error const& broken) {
        write_stdout(fmt::format("row {} is rejected: {}: {}\n", item.number, broken.field(), broken.rule()));
        ctx.end_with(exit_rejected);
    }
}

void explain(context& ctx, explain_options const& options) {
    if (!options.feedback.empty()) {
        static_cast<void>(feedback_level_named(options.feedback));
        if (options.instance >= 0) {
            throw usage_error("--instance has no effect with --feedback: hidden instances are not shown to models");
        }
    }
    scorer by = make_scorer(ctx, options.score);
    rows_by_kind kept;
    row_kind const* explained = nullptr;  // the kind of the row, which was met and whose file is read to its end
    row_input input(ctx, {options.file}, "explain");
    std::int64_t last = 0;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            last = item.number;
            row_kind const* const kind = item.sound() ? by.claimed_by(item.row) : nullptr;
            rows_beside const beside = kind == nullptr ? rows_beside::none : kind->info().beside;
            bool const own_row = item.number == options.row;
            if (beside != rows_beside::none && (explained == nullptr || kind == explained)) {
                kept.keep(*kind, item);
            }
            if (own_row && beside == rows_beside::none) {
                write_explained(ctx, by, {&item, 1}, 0, options);
                return;
            }
            if (own_row) {
                explained = kind;
            }
            if (own_row && beside == rows_beside::earlier) {
                std::vector<row_item> rows = kept.items(*kind);
                write_explained(ctx, by, rows, rows.size() - 1, options);
                return;
            }
        }
    }
    if (explained == nullptr) {
        throw usage_error(last < options.row
                              ? fmt::format("--row {}: {} has {} rows", options.row, options.file, last)
                              : fmt::format("--row {}: that line of {} is blank", options.row, options.file));
    }
    std::vector<row_item> rows = kept.items(*explained);
    auto const at = std::ranges::find(rows, options.row, &row_item::number);
    write_explained(ctx, by, rows, std::size_t(at - rows.begin()), options);
}

}  // namespace

void add_explain(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "explain", "One row for people: the answer in its text, the broken rule, the optimum, the reward's arithmetic",
        {"optgap explain rollouts.jsonl --row 3",
         R"(optgap explain rollouts.jsonl --row 3 --reward '{"infeasible": "graded"}')",
         "optgap explain rollouts.jsonl --row 3 --feedback place",
         "optgap generate tsp --level easy | optgap solve - | optgap explain -",
         "optgap explain programs.jsonl --row 2 --isolation auto --instance 0"},
        {"Rows as in optgap score, or with an `answer` as in optgap verify. Colours only on a terminal."});
    auto options = std::make_shared<explain_options>();
    command.add_option("FILE", options->file, "JSONL with completions or answers; - is stdin").required();
    command.add_option("--row", options->row, "1-based line of the file").at_least(1).show_default();
    command.add_option("--feedback", options->feedback,
                       "Only what a model may know of its row: verdict, rule or place, each more than the one before; "
                       "never the optimum");
    add_score_options(command, options->score);
    add_kind_options(command, ctx, options->score);
    command
        .add_option("--instance", options->instance,
                    "Of a row whose completion is a program: the hidden instance to show, from 0 on; the first that "
                    "is not feasible unless given")
        .at_least(0);
    command.on_run([&ctx, options] { explain(ctx, *options); });
}

}  // namespace optgap::cli
