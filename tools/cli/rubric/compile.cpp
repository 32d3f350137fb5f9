// optgap rubric compile, check, floors, sample: rows with rubrics in, rows with rubrics out.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "optgap/status.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/rubric/code_answers.hpp"
#include "tools/cli/rubric/rubric_samples.hpp"

namespace optgap::cli {
namespace {

constexpr double ingest_reference = 0.7, ingest_other = 0.5;

/// A row and what is measured on it.
struct rubric_row {
    row_item* item = nullptr;
    std::optional<rubrics::text_rubric> rubric;
    std::string prompt;
    std::string before;  ///< the first reference of the nearest row before that has one
};

/// Every row's rubric through `measure(row, judge)`, whose result `write(row, measured, writer)` puts down; a row of
/// which it throws is rejected. Rows with checks in Python are measured twice: first to gather what to ask the sandbox.
template <class Measure, class Write>
void each_rubric(context& ctx, rubric_row_options const& options, std::string const& name,
                 std::span<std::string_view const> added, bool scores, Measure measure, Write write) {
    constexpr std::size_t max_waiting = std::size_t(16) << 20;  // bytes of texts for the sandbox
    row_input input(ctx, options.files, name);
    row_output output;
    code_answers codes(options);
    std::vector<rubric_row> held;
    auto const flush = [&] {
        for (rubric_row& one : held) {
            row_item& item = *one.item;
            try {
                if (item.sound()) {
                    bool const asks = scores && !one.rubric->codes().empty();
                    auto const measured = measure(one, asks ? &codes.answering() : nullptr);
                    row_writer row = output.begin(item, added);
                    write(one, measured, row);
                    row.finish();
                    output.end_row();
                }
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
            } catch (error const& refused) {
                item.reject("isolation", refused.what());
            }
            if (!item.sound()) {
                output.reject(item);
            }
        }
        held.clear();
    };
    std::string before;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            rubric_row one{&item, {}, {}, before};
            if (item.sound()) {
                try {
                    one.rubric.emplace(row_rubric(item.row, options.preset));
                    one.prompt = prompt_of(item.row);
                    if (scores) {
                        codes.require(*one.rubric, name);
                        if (!one.rubric->codes().empty()) {
                            static_cast<void>(measure(one, &codes.gathering()));
                        }
                    }
                    before = one.rubric->references().empty() ? before : one.rubric->references()[0];
                } catch (field_error const& broken) {
                    item.reject(broken.field(), broken.rule());
                }
            }
            held.push_back(std::move(one));
            if (codes.waiting() > max_waiting) {
                flush();
            }
        }
        flush();  // rows are good until the next batch
    }
    input.finish(ctx);
    output.finish(ctx);
}

void compile_rubrics(context& ctx, rubric_row_options const& options, bool drop) {
    constexpr std::string_view added[] = {"chain", "chain_key"};
    each_rubric(
        ctx, options, "rubric compile", added, false,
        [](rubric_row const& row, rubrics::code_judge*) { return row.rubric->key(); },
        [&](rubric_row const& row, std::string const& key, row_writer& out) {
            out.raw("chain", row.rubric->to_json(!drop));
            out.text("chain_key", key);
        });
}

/// Keywords that stand in the prompt: a copy of the prompt has them, too.
std::vector<std::string> free_keywords(rubrics::text_rubric const& rubric) {
    std::vector<std::string> out;
    if (rubric.prompt().empty()) {
        return out;
    }
    rubrics::matched_text const found = rubric.explain({.text = rubric.prompt()});
    for (rubrics::match_found const& match : found.matches) {
        std::string const text = found.text.substr(match.begin, match.end - match.begin);
        if (std::find(out.begin(), out.end(), text) == out.end()) {
            out.push_back(text);
        }
    }
    return out;
}

struct checked_rubric {
    std::optional<rubrics::text_score> own;
    std::optional<double> other;
};

void check_rubrics(context& ctx, rubric_row_options const& options) {
    constexpr std::string_view added[] = {"chain_key",   "sound",      "reference_content", "reference_style",
                                          "other_total", "gates_open", "free_keywords"};
    std::int64_t rows = 0, low = 0, close = 0, gated = 0, unknown = 0;
    auto const measure = [](rubric_row const& row, rubrics::code_judge* codes) {
        rubrics::text_rubric const& rubric = *row.rubric;
        checked_rubric out;
        if (!rubric.references().empty()) {
            out.own = rubric.score({.text = rubric.references()[0], .prompt = row.prompt, .codes = codes});
        }
        if (!row.before.empty()) {
            out.other = rubric.score({.text = row.before, .prompt = row.prompt, .codes = codes}).total;
        }
        return out;
    };
    auto const write = [&](rubric_row const& from, checked_rubric const& found, row_writer& row) {
        rubrics::text_rubric const& rubric = *from.rubric;
        auto const& [own, other] = found;
        ++rows;
        unknown += own ? 0 : 1;
        bool const good = !own || ((rubric.points() == 0 || own->content >= ingest_reference) &&
                                   (rubric.checks() == 0 || own->style >= ingest_reference));
        bool const apart = !other || *other <= ingest_other;
        low += good ? 0 : 1;
        close += apart ? 0 : 1;
        gated += own && own->factor < rubrics::full_factor ? 1 : 0;
        row.text("chain_key", rubric.key());
        row.boolean("sound", good && apart && own.has_value());
        row.raw("reference_content", own ? fmt::format("{}", own->content) : "null");
        row.raw("reference_style", own ? fmt::format("{}", own->style) : "null");
        row.raw("other_total", other ? fmt::format("{}", *other) : "null");
        row.boolean("gates_open", own && own->factor == rubrics::full_factor);
        std::string list;
        for (std::string const& keyword : free_keywords(rubric)) {
            list += list.empty() ? "" : ",";
            append_json_string(list, keyword);
        }
        row.raw("free_keywords", "[" + list + "]");
    };
    each_rubric(ctx, options, "rubric check", added, true, measure, write);
    ctx.note(fmt::format(
        "{} rubric{}: {} with a reference below {} in content or style, {} that reward the row before them more "
        "than {}, {} whose gates hold their own reference back, {} without a reference",
        rows, rows == 1 ? "" : "s", low, ingest_reference, close, ingest_other, gated, unknown));
}

void measure_floors(context& ctx, rubric_row_options const& options) {
    constexpr std::string_view added[] = {"chain", "chain_key", "floors", "hackable"};
    std::int64_t rows = 0, hackable = 0;
    auto const measure = [](rubric_row const& row, rubrics::code_judge* codes) {
        return rubrics::floors_of(*row.rubric, row.prompt, row.before, codes);
    };
    using floor_list = std::vector<std::pair<std::string, double>>;
    auto const write = [&](rubric_row const& from, floor_list const& found, row_writer& row) {
        rubrics::text_rubric const measured = from.rubric->with_floors(found);
        std::string list;
        for (auto const& [name, value] : found) {
            list += fmt::format("{}\"{}\":{}", list.empty() ? "" : ",", name, value);
        }
        row.raw("chain", measured.to_json());
        row.text("chain_key", measured.key());
        row.raw("floors", "{" + list + "}");
        row.boolean("hackable", measured.hackable());
        ++rows;
        hackable += measured.hackable() ? 1 : 0;
    };
    each_rubric(ctx, options, "rubric floors", added, true, measure, write);
    ctx.note(fmt::format(
        "{} of {} rubric{} reward their reference's keywords alone {} of what they reward the reference, or more",
        hackable, rows, rows == 1 ? "" : "s", rubrics::hackable_from));
}

}  // namespace

void add_rubric_compile(command_entry rubric, context& ctx) {
    struct options_of_compile {
        rubric_row_options rows;
        bool drop = false;
    };
    auto options = std::make_shared<options_of_compile>();
    command_entry const command =
        rubric.add_command("compile", "The keywords that each reference holds, in order, written into its rubric",
                           {"optgap rubric compile rubrics.jsonl > compiled.jsonl"},
                           {"Added: rubric, with every default filled in, and chain_key, which names it.", rows_help});
    add_rubric_row_options(command, options->rows);
    command.add_flag("--drop-references", options->drop,
                     "Leave the references' texts out: rows get smaller, and nothing can leak");
    command.on_run([&ctx, options] { compile_rubrics(ctx, options->rows, options->drop); });
}

void add_rubric_check(command_entry rubric, context& ctx) {
    auto options = std::make_shared<rubric_row_options>();
    command_entry const command = rubric.add_command(
        "check", "Is each rubric sound: its own reference passes, another row's does not",
        {"optgap rubric check rubrics.jsonl > checked.jsonl"},
        {"A sequence that its reference does not give is an error row. Added: chain_key, reference_content, "
         "reference_style,",
         "other_total (of the reference of the row before), gates_open, free_keywords (those that the prompt holds), "
         "and",
         "sound: content and style of the reference are 0.7 or more, other_total is 0.5 or less.", rows_help});
    add_rubric_row_options(command, *options);
    add_code_options(command, *options);
    command.on_run([&ctx, options] { check_rubrics(ctx, *options); });
}

void add_rubric_floors(command_entry rubric, context& ctx) {
    auto options = std::make_shared<rubric_row_options>();
    command_entry const command = rubric.add_command(
        "floors", "What constant answers and cheats earn, measured and written into each rubric",
        {"optgap rubric floors rubrics.jsonl > measured.jsonl"},
        {"Added: floors (empty, one_word, prompt_echo, keyword_list, telegraphic, shuffled, other_reference: of the "
         "row "
         "before,",
         "reference), hackable, and rubric with both, by which `normalized` of `optgap score` is measured.",
         rows_help});
    add_rubric_row_options(command, *options);
    add_code_options(command, *options);
    command.on_run([&ctx, options] { measure_floors(ctx, *options); });
}

void add_rubric_sample(command_entry rubric, context&) {
    auto as = std::make_shared<std::string>();
    command_entry const command = rubric.add_command(
        "sample", "A few rubrics with answers, honest and not, to try the other commands on",
        {"optgap rubric sample | optgap score -",
         "optgap rubric sample --as ifeval | optgap rubric import - --from ifeval | optgap score -"});
    command.add_option("--as", *as, "Rows as this data set has them, for `optgap rubric import`, instead of rubrics")
        .one_of(imported_data_sets);
    command.on_run([as] { write_stdout(rubric_samples(as->empty() ? "rubrics" : "labels/" + *as)); });
}

}  // namespace optgap::cli
