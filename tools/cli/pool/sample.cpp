// optgap pool sample: entries by the weights of a policy, written anew from words, under labels of their own.

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

struct sample_options {
    std::string path, by, format;
    std::int64_t count = 1, first = 0;
    bool prompts = false, reference = false, questions = false;
};

void write_question(row_output& output, sample_options const& options, pool::pool const& of, pool::entry const& one,
                    std::int64_t id, std::int64_t index) {
    pool::question const shown = pool::question_of(one);
    row_writer row(output.buffer(), nullptr);
    row.text("question", shown.text);
    if (!options.reference) {
        row.text_or_null("reference", shown.reference);
        row.integer("entry", id);
        row.integer("step", of.step());
        row.integer("index", index);
    }
    row.finish();
    output.end_row();
}

void sample_rows(context& ctx, sample_options const& options) {
    if (!options.format.empty() && !options.prompts) {
        throw usage_error("--format is of prompts: expected --prompts beside it");
    }
    if (options.questions && options.prompts) {
        throw usage_error("--prompts is of problems of tasks: expected --questions alone, whose text is the prompt");
    }
    if (options.first + options.count > std::int64_t(UINT32_MAX)) {
        throw usage_error("--first and --count: the last index must be below 2^32");
    }
    format_spec const& format =
        known_formats()[std::size_t(format_index(options.format.empty() ? "forge" : options.format))];
    std::unique_ptr<pool::pool> const of = opened_pool(ctx, options.path, false);
    engine const& by = ctx.get_engine(false);
    pool::policy const policy = options.by.empty() ? of->made_with().by : pool::policy_named(options.by);
    std::vector<std::uint64_t> const weights =
        of->weights(policy, options.questions ? pool::content::questions : pool::content::problems);
    pool::drawer const draws(of->made_with().seed, of->step(), weights);
    row_output output;
    for (std::int64_t index = options.first; index < options.first + options.count; ++index) {
        pool::drawn_entry const drawn = draws.draw(index);
        pool::entry const one = of->read(drawn.place);
        if (options.questions) {
            write_question(output, options, *of, one, drawn.place, index);
            continue;
        }
        pool::posed const shown = pool::pose(by, one, drawn.label_seed);
        task_info const& info = by.tasks()[std::size_t(shown.task)];
        row_writer row(output.buffer(), nullptr);
        if (!options.reference) {
            row.text("key", to_string(explicit_key(info, hash_words(shown.words))));
        }
        row.text("task", info.name);
        row.raw("instance", instance_json(ctx.text(shown.task), shown.words));
        if (!options.reference) {
            row.raw("baseline", one.infeasible ? R"({"objective":null,"bound":null,"proven":true})"
                                               : fmt::format(R"({{"objective":{},"bound":{},"proven":true}})",
                                                             one.objective, one.objective));
            row.integer("entry", drawn.place);
            row.integer("step", of->step());
            row.integer("index", index);
        }
        if (options.prompts) {
            std::string const prompt = by.prompt(shown.task, shown.words, 0, format);
            row.text("prompt", prompt);
            row.text("format", to_text(format));
            row.integer("prompt_chars", characters(prompt));
        }
        row.finish();
        output.end_row();
    }
    output.finish(ctx);
}

}  // namespace

void add_pool_sample(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "sample", "Problems to solve, by the pool's policy: rows that score reads, with the optimum that is proven",
        {"optgap pool sample pool.db --count 4", "optgap pool sample pool.db --count 64 --policy band --prompts",
         "optgap pool sample pool.db --count 3 --reference", "optgap pool sample pool.db --count 8 --questions"},
        {"A draw is a function of the pool's content, its seed, its step and the draw's index, so that ranks that "
         "share a",
         "file draw the same, and --first lets each have its own. Each draw has labels of its own. --reference is for "
         "a",
         "proposer's prompt: the instance alone, without key, optimum or answer.",
         "Policies: uniform; step (newer ones more); max_new, half_new (those of the newest steps, or half of them);",
         "signal (what groups of answers tell apart, and what was not seen for long); regret (what is missing to the",
         "optimum, and the same); band (mean quality 0.3 to 0.8, or not tried); frontier (never solved)."});
    auto options = std::make_shared<sample_options>();
    command.add_option("POOL", options->path, "A pool").required();
    command.add_option("--count", options->count, "How many").at_least(1).show_default();
    command.add_option("--first", options->first, "Index of the first draw of the step").at_least(0).show_default();
    command.add_option("--policy", options->by, "Another than the pool's own");
    command.add_flag("--prompts", options->prompts, "Add the prompt, its format's name and its length");
    command.add_option("--format", options->format, "What the prompt asks for; forge by default");
    command.add_flag("--reference", options->reference, "The instances alone, for a proposer's prompt");
    command.add_flag("--questions", options->questions, "Questions in free text, not problems of tasks");
    command.on_run([&ctx, options] { sample_rows(ctx, *options); });
}

}  // namespace optgap::cli
