// optgap chain compile, check, floors, sample: rows with chains in, rows with chains out.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "optgap/status.hpp"
#include "tools/cli/chain/chain_samples.hpp"
#include "tools/cli/chain/code_answers.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {
namespace {

constexpr double ingest_reference = 0.7, ingest_other = 0.5;

/// A row and what is measured on it.
struct chain_row {
    row_item* item = nullptr;
    std::optional<chain::reward_chain> chain;
    std::string prompt;
    std::string before;  ///< the first reference of the nearest row before that has one
};

/// Every row's chain through `measure(row, judge)`, whose result `write(row, measured, writer)` puts down; a row of
/// which it throws is rejected. Rows with checks in Python are measured twice: first to gather what to ask the sandbox.
template <class Measure, class Write>
void each_chain(context& ctx, chain_row_options const& options, std::string const& name,
                std::span<std::string_view const> added, bool scores, Measure measure, Write write) {
    constexpr std::size_t max_waiting = std::size_t(16) << 20;  // bytes of texts for the sandbox
    row_input input(ctx, options.files, name);
    row_output output;
    code_answers codes(options);
    std::vector<chain_row> held;
    auto const flush = [&] {
        for (chain_row& one : held) {
            row_item& item = *one.item;
            try {
                if (item.sound()) {
                    bool const asks = scores && !one.chain->codes().empty();
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
            chain_row one{&item, {}, {}, before};
            if (item.sound()) {
                try {
                    one.chain.emplace(row_chain(item.row, options.preset));
                    one.prompt = prompt_of(item.row);
                    if (scores) {
                        codes.require(*one.chain, name);
                        if (!one.chain->codes().empty()) {
                            static_cast<void>(measure(one, &codes.gathering()));
                        }
                    }
                    before = one.chain->references().empty() ? before : one.chain->references()[0];
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

void compile_chains(context& ctx, chain_row_options const& options, bool drop) {
    constexpr std::string_view added[] = {"chain", "chain_key"};
    each_chain(
        ctx, options, "chain compile", added, false,
        [](chain_row const& row, chain::code_judge*) { return row.chain->key(); },
        [&](chain_row const& row, std::string const& key, row_writer& out) {
            out.raw("chain", row.chain->to_json(!drop));
            out.text("chain_key", key);
        });
}

/// Keywords that stand in the prompt: whoever copies it has them for nothing.
std::vector<std::string> free_keywords(chain::reward_chain const& chain) {
    std::vector<std::string> out;
    if (chain.prompt().empty()) {
        return out;
    }
    chain::matched_text const found = chain.explain({.text = chain.prompt()});
    for (chain::match_found const& match : found.matches) {
        std::string const text = found.text.substr(match.begin, match.end - match.begin);
        if (std::find(out.begin(), out.end(), text) == out.end()) {
            out.push_back(text);
        }
    }
    return out;
}

struct checked_chain {
    std::optional<chain::text_score> own;
    std::optional<double> other;
};

void check_chains(context& ctx, chain_row_options const& options) {
    constexpr std::string_view added[] = {"chain_key",   "sound",      "reference_content", "reference_style",
                                          "other_total", "gates_open", "free_keywords"};
    std::int64_t rows = 0, low = 0, close = 0, gated = 0, unknown = 0;
    auto const measure = [](chain_row const& row, chain::code_judge* codes) {
        chain::reward_chain const& chain = *row.chain;
        checked_chain out;
        if (!chain.references().empty()) {
            out.own = chain.score({.text = chain.references()[0], .prompt = row.prompt, .codes = codes});
        }
        if (!row.before.empty()) {
            out.other = chain.score({.text = row.before, .prompt = row.prompt, .codes = codes}).total;
        }
        return out;
    };
    auto const write = [&](chain_row const& from, checked_chain const& found, row_writer& row) {
        chain::reward_chain const& chain = *from.chain;
        auto const& [own, other] = found;
        ++rows;
        unknown += own ? 0 : 1;
        bool const good = !own || ((chain.points() == 0 || own->content >= ingest_reference) &&
                                   (chain.checks() == 0 || own->style >= ingest_reference));
        bool const apart = !other || *other <= ingest_other;
        low += good ? 0 : 1;
        close += apart ? 0 : 1;
        gated += own && own->factor < chain::full_factor ? 1 : 0;
        row.text("chain_key", chain.key());
        row.boolean("sound", good && apart && own.has_value());
        row.raw("reference_content", own ? fmt::format("{}", own->content) : "null");
        row.raw("reference_style", own ? fmt::format("{}", own->style) : "null");
        row.raw("other_total", other ? fmt::format("{}", *other) : "null");
        row.boolean("gates_open", own && own->factor == chain::full_factor);
        std::string list;
        for (std::string const& keyword : free_keywords(chain)) {
            list += list.empty() ? "" : ",";
            append_json_string(list, keyword);
        }
        row.raw("free_keywords", "[" + list + "]");
    };
    each_chain(ctx, options, "chain check", added, true, measure, write);
    ctx.note(fmt::format(
        "{} chain{}: {} with a reference below {} in content or style, {} that reward the row before them more "
        "than {}, {} whose gates hold their own reference back, {} without a reference",
        rows, rows == 1 ? "" : "s", low, ingest_reference, close, ingest_other, gated, unknown));
}

void measure_floors(context& ctx, chain_row_options const& options) {
    constexpr std::string_view added[] = {"chain", "chain_key", "floors", "hackable"};
    std::int64_t rows = 0, hackable = 0;
    auto const measure = [](chain_row const& row, chain::code_judge* codes) {
        return chain::floors_of(*row.chain, row.prompt, row.before, codes);
    };
    using floor_list = std::vector<std::pair<std::string, double>>;
    auto const write = [&](chain_row const& from, floor_list const& found, row_writer& row) {
        chain::reward_chain const measured = from.chain->with_floors(found);
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
    each_chain(ctx, options, "chain floors", added, true, measure, write);
    ctx.note(
        fmt::format("{} of {} chain{} reward their reference's keywords alone {} of what they reward the reference, or more",
                    hackable, rows, rows == 1 ? "" : "s", chain::hackable_from));
}

}  // namespace

void add_chain_compile(command_entry chain, context& ctx) {
    struct options_of_compile {
        chain_row_options rows;
        bool drop = false;
    };
    auto options = std::make_shared<options_of_compile>();
    command_entry const command =
        chain.add_command("compile", "The keywords that each reference holds, in order, written into its chain",
                          {"optgap chain compile chains.jsonl > compiled.jsonl"},
                          {"Added: chain, with every default filled in, and chain_key, which names it.", rows_help});
    add_chain_row_options(command, options->rows);
    command.add_flag("--drop-references", options->drop,
                     "Leave the references' texts out: rows get smaller, and nothing can leak");
    command.on_run([&ctx, options] { compile_chains(ctx, options->rows, options->drop); });
}

void add_chain_check(command_entry chain, context& ctx) {
    auto options = std::make_shared<chain_row_options>();
    command_entry const command = chain.add_command(
        "check", "Is each chain sound: its own reference passes, another row's does not",
        {"optgap chain check chains.jsonl > checked.jsonl"},
        {"A sequence that its reference does not give is an error row. Added: chain_key, reference_content, "
         "reference_style,",
         "other_total (of the reference of the row before), gates_open, free_keywords (those that the prompt holds), "
         "and",
         "sound: content and style of the reference are 0.7 or more, other_total is 0.5 or less.", rows_help});
    add_chain_row_options(command, *options);
    add_code_options(command, *options);
    command.on_run([&ctx, options] { check_chains(ctx, *options); });
}

void add_chain_floors(command_entry chain, context& ctx) {
    auto options = std::make_shared<chain_row_options>();
    command_entry const command = chain.add_command(
        "floors", "What constant answers and cheats earn, measured and written into each chain",
        {"optgap chain floors chains.jsonl > measured.jsonl"},
        {"Added: floors (empty, one_word, prompt_echo, keyword_list, telegraphic, shuffled, other_reference: of the "
         "row "
         "before,",
         "reference), hackable, and chain with both, by which `normalized` of `optgap score` is measured.", rows_help});
    add_chain_row_options(command, *options);
    add_code_options(command, *options);
    command.on_run([&ctx, options] { measure_floors(ctx, *options); });
}

void add_chain_sample(command_entry chain, context&) {
    auto as = std::make_shared<std::string>();
    command_entry const command =
        chain.add_command("sample", "A few chains with answers, honest and not, to try the other commands on",
                          {"optgap chain sample | optgap score -",
                           "optgap chain sample --as ifeval | optgap chain import - --from ifeval | optgap score -"});
    command.add_option("--as", *as, "Rows as this data set has them, for `optgap chain import`, instead of chains")
        .one_of(imported_data_sets);
    command.on_run([as] { write_stdout(chain_samples(as->empty() ? "chains" : "labels/" + *as)); });
}

}  // namespace optgap::cli
