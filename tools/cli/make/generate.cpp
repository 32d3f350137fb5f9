// optgap generate: instances and prompts from seeds.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/proposals/canonical.hpp"
#include "tools/cli/make/generate_programs.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/shell/progress.hpp"
#include "tools/cli/shell/python/python_commands.hpp"

namespace optgap::cli {
namespace {

struct generate_options {
    std::vector<std::string> tasks;
    std::string level;
    std::int32_t difficulty = -1;
    std::int64_t count = 1;
    std::uint64_t seed = 0;
    std::string split = "train";
    bool prompts = false;
    std::string format;  ///< empty: forge, or program
    std::string style = "0";
    std::int64_t max_prompt_chars = 0;
    bool unique = false;
    bool canonical = false;
    std::string candidate = "answer";
    std::string language, limits, input, interface;
    std::int32_t instances = 0;
    bool trusted = false;
    std::string isolation;
};

/// Whether a word names an environment: FILE.py:CLASS, mine/toy. Before the slash of a word for this build's tasks is a
/// family, or a pattern of families (optgap/task_choice.hpp).
bool is_environment(engine const& by, std::string_view word) {
    std::size_t const slash = word.substr(0, word.find('@')).find('/');
    if (word.find(".py:") != std::string_view::npos) {
        return true;
    }
    std::string_view const family = word.substr(0, slash);
    return slash != std::string_view::npos && family.find('*') == std::string_view::npos &&
           std::none_of(by.tasks().begin(), by.tasks().end(),
                        [&](task_info const& info) { return info.family == family; });
}

difficulty level_said(generate_options const& options) {
    if (options.level.empty() == (options.difficulty < 0)) {
        throw usage_error("say either --level easy|medium|hard|benchmark|dN or --difficulty N");
    }
    return options.level.empty() ? difficulty::scale(options.difficulty) : parse_level(options.level);
}

/// Options of one kind of candidates that were given for the other are mistakes.
void generate_for_programs(context& ctx, generate_options const& options) {
    if (options.unique || options.canonical || options.max_prompt_chars > 0) {
        throw usage_error("--unique, --canonical and --max-prompt-chars belong to --candidate answer");
    }
    program_problem_options wanted;
    wanted.tasks = ctx.tasks_named(options.tasks);
    wanted.level = level_said(options);
    wanted.part = parse_split(options.split);
    wanted.count = options.count;
    wanted.seed = options.seed;
    wanted.instances = options.instances > 0 ? options.instances : wanted.instances;
    wanted.language = options.language.empty() ? wanted.language : options.language;
    wanted.limits = options.limits.empty() ? wanted.limits : options.limits;
    wanted.input = options.input;
    wanted.interface = options.interface.empty() ? wanted.interface : options.interface;
    wanted.format = options.format.empty() ? wanted.format : options.format;
    wanted.style = options.style;
    wanted.prompts = options.prompts;
    generate_program_rows(ctx, wanted);
}

/// Writes the rows of one task after another; one row per seed and style.
class generator {
public:
    generator(context& ctx, generate_options const& options)
        : ctx_(ctx),
          options_(options),
          engine_(ctx.get_engine()),
          format_(known_formats()[std::size_t(format_index(options.format))]),
          level_(level_said(options)),
          part_(parse_split(options.split)) {
        if (options_.seed > UINT64_MAX - std::uint64_t(options_.count - 1)) {
            throw usage_error("--seed and --count: the last seed must fit into 64 bits");
        }
        tasks_ = ctx.tasks_named(options.tasks, wants_prompts());
        for (std::int32_t const task : tasks_) {
            styles_.push_back(styles_of(engine_.tasks()[std::size_t(task)]));
        }
    }

    void run() {
        progress bar("generate", "rows", options_.count * std::int64_t(tasks_.size()), ctx_.quiet);
        std::int64_t done = 0;
        for (std::size_t t = 0; t < tasks_.size(); ++t) {
            seen_ = {};
            std::int64_t batch = 32;
            for (std::int64_t first = 0; first < options_.count;) {
                std::int64_t const rows = std::min(batch, options_.count - first);
                std::int64_t const words = write_seeds(t, options_.seed + std::uint64_t(first), rows);
                first += rows;
                bar.update(done += rows);
                batch = next_batch(words / rows);
            }
        }
        output_.finish(ctx_);
        if (options_.unique) {
            ctx_.note(fmt::format("--unique left out {} of {} instances{}", repeated_,
                                  options_.count * std::int64_t(tasks_.size()),
                                  options_.canonical ? ", compared under all their labels" : ""));
        }
        if (options_.max_prompt_chars > 0 && longest_ > options_.max_prompt_chars) {
            ctx_.warn(fmt::format(
                "the longest prompt has {} characters, --max-prompt-chars is {}: take an easier level than {}",
                longest_, options_.max_prompt_chars, level_name(level_)));
        }
    }

private:
    static constexpr std::int32_t drawn = -1;  ///< a style per row, by its key

    [[nodiscard]] bool wants_prompts() const { return options_.prompts || options_.max_prompt_chars > 0; }

    /// About 64 MB of instance words at a time.
    static std::int64_t next_batch(std::int64_t words_each) {
        return std::clamp<std::int64_t>((std::int64_t(16) << 20) / std::max<std::int64_t>(1, words_each), 1, 4096);
    }

    [[nodiscard]] std::vector<std::int32_t> styles_of(task_info const& info) const {
        std::vector<std::int32_t> styles;
        if (options_.style == "drawn") {
            return {drawn};
        }
        if (options_.style == "all") {
            std::int32_t const kept = part_ == split::train ? 1 : 0;
            for (std::int32_t style = 0; style < std::max(1, info.styles - kept); ++style) {
                styles.push_back(style);
            }
            return styles;
        }
        std::int64_t style = -1;
        if (!is_decimal(options_.style, style) || style < 0 || style >= info.styles) {
            throw usage_error(fmt::format("--style {}: {} has styles 0 to {}, or say all or drawn", options_.style,
                                          info.name, info.styles - 1));
        }
        return {std::int32_t(style)};
    }

    /// Rows of `count` seeds of one task; returns how many words their instances have.
    std::int64_t write_seeds(std::size_t task, std::uint64_t seed, std::int64_t count) {
        std::vector<instance_spec> specs;
        for (std::int64_t i = 0; i < count; ++i) {
            specs.push_back({tasks_[task], level_, part_, seed + std::uint64_t(i)});
        }
        instance_batch const made = engine_.generate(specs);
        for (std::int64_t i = 0; i < count; ++i) {
            instance_hash const hash = hash_words(made.blocks.row(i));
            canonical_hash const form =
                options_.canonical ? canonical_of(engine_, tasks_[task], made.blocks.row(i)) : canonical_hash{hash};
            // A coarse key may be another problem's, too: nothing is left out by it.
            if (options_.unique && !seen_.add(form.coarse ? hash : form.hash)) {
                ++repeated_;
                continue;
            }
            for (std::int32_t const style : styles_[task]) {
                instance_spec const& spec = specs[std::size_t(i)];
                task_info const& info = engine_.tasks()[std::size_t(spec.task)];
                write(spec, made.blocks.row(i), hash, form, style == drawn ? drawn_style(info, spec) : style);
            }
        }
        return std::int64_t(made.blocks.words.size());
    }

    void write(instance_spec const& spec, std::span<std::int32_t const> words, instance_hash hash,
               canonical_hash const& form, std::int32_t style) {
        task_info const& info = engine_.tasks()[std::size_t(spec.task)];
        ++rows_;

        std::string const prompt = wants_prompts() ? engine_.prompt(spec.task, words, style, format_) : std::string();
        std::int64_t const length = characters(prompt);
        longest_ = std::max(longest_, length);

        row_writer row(output_.buffer(), nullptr);
        row.text("key", to_string(key_of(info, spec, hash, style)));
        row.text("task", info.name);
        row.text("level", level_name(spec.level));
        if (options_.max_prompt_chars > 0 && length > options_.max_prompt_chars) {
            std::string const rule =
                fmt::format("{} characters, over --max-prompt-chars {}", length, options_.max_prompt_chars);
            row.error(rows_, "prompt", rule);
            output_.count_rejected(rows_, "prompt", rule);
        } else {
            row.raw("instance", instance_json(ctx_.text(spec.task), words));
            row.text("hash", hex32(hash));
            if (options_.canonical) {
                row.text("canonical", canonical_key(info, form));
                row.boolean("coarse", form.coarse);
            }
            if (options_.prompts) {
                row.text("prompt", prompt);
                row.text("format", to_text(format_));
                row.integer("prompt_chars", length);
            }
        }
        row.finish();
        output_.end_row();
    }

    context& ctx_;
    generate_options const& options_;
    engine const& engine_;
    format_spec const& format_;
    difficulty level_;
    split part_;
    std::vector<std::int32_t> tasks_;
    std::vector<std::vector<std::int32_t>> styles_;
    row_output output_;
    seen_instances seen_;
    std::int64_t repeated_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t longest_ = 0;
};

/// Environments make their problems in Python.
[[noreturn]] void generate_in_environments(context& ctx, generate_options const& options) {
    auto const outside = [&](std::string const& word) { return is_environment(ctx.get_engine(false), word); };
    if (!std::all_of(options.tasks.begin(), options.tasks.end(), outside)) {
        throw usage_error("tasks of this build and environments in one command: say them in two");
    }
    if (options.candidate != "answer" || options.style != "0" || options.unique || options.canonical) {
        throw usage_error(
            "--candidate program, --style, --unique and --canonical belong to tasks of this build, not to "
            "environments");
    }
    run_in_python(ctx, "generate_environments",
                  {{"tasks", options.tasks},
                   {"level", options.level.empty() && options.difficulty >= 0 ? fmt::format("d{}", options.difficulty)
                                                                              : options.level},
                   {"count", options.count},
                   {"seed", options.seed},
                   {"split", options.split},
                   {"prompts", options.prompts},
                   {"format", options.format.empty() ? "forge" : options.format},
                   {"max_prompt_chars", options.max_prompt_chars},
                   {"trusted", options.trusted},
                   {"isolation", options.isolation}});
}

void generate_candidates(context& ctx, generate_options& options) {
    auto const outside = [&](std::string const& word) { return is_environment(ctx.get_engine(false), word); };
    if (std::any_of(options.tasks.begin(), options.tasks.end(), outside)) {
        generate_in_environments(ctx, options);
    }
    if (options.trusted || !options.isolation.empty()) {
        throw usage_error("--trusted and --isolation belong to environments, such as FILE.py:CLASS");
    }
    if (options.candidate == "program") {
        generate_for_programs(ctx, options);
        return;
    }
    if (options.candidate != "answer") {
        throw usage_error(fmt::format("--candidate {}: expected answer or program", options.candidate));
    }
    bool const shaped = !options.input.empty() || !options.interface.empty();
    if (!options.language.empty() || !options.limits.empty() || shaped || options.instances > 0) {
        throw usage_error("--language, --instances, --limits, --input and --interface belong to --candidate program");
    }
    options.format = options.format.empty() ? "forge" : options.format;
    generator(ctx, options).run();
}

}  // namespace

void add_generate(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "generate", "Instances from seeds: key, task, level, instance, hash[, prompt, format, prompt_chars]",
        {"optgap generate tsp --level hard --count 100 --seed 1 > tsp.jsonl",
         "optgap generate all --level benchmark --split test --prompts --format boxed",
         "optgap generate knapsack --difficulty 12 --count 8 --prompts --max-prompt-chars 4000",
         "optgap generate tsp --level hard --candidate program --language cpp --instances 10 --prompts",
         "optgap generate sums.py:Sums --level d3 --count 8 --prompts"},
        {"Seeds SEED ... SEED + COUNT - 1 for each task, task after task. The same key is the same instance anywhere.",
         "With --prompts tasks that are too long for one (`optgap tasks`) are left out of all and of patterns, and "
         "refused by name.",
         "Small levels have few instances: with --unique a seed whose instance an earlier one gave is left out, so "
         "there",
         "may be fewer than COUNT; with --canonical beside it, also one that an earlier one gave under other labels.",
         "Prompts longer than --max-prompt-chars become error rows without the instance (exit code 1).",
         "With --candidate program each row is a problem of --instances hidden instances, COUNT problems a task of",
         "consecutive seeds: key, task, level, language, input[, interface], limits, format[, prompt, prompt_chars]; "
         "docs/programs.md."});
    auto options = std::make_shared<generate_options>();
    command
        .add_option(
            "TASK", options->tasks,
            "Tasks as NAME or NAME@VERSION, or all; or environments: FILE.py:CLASS, mine/toy (docs/own_tasks.md)")
        .required();
    option_entry const level = command.add_option("--level", options->level, "easy, medium, hard, benchmark or dN");
    command
        .add_option("--difficulty", options->difficulty, "Step of the task's difficulty scale: the same as --level dN")
        .between(0, max_scale_step)
        .excludes(level);
    command.add_option("--count", options->count, "Instances per task").at_least(1).show_default();
    command.add_option("--seed", options->seed, "The first seed").seed().show_default();
    command.add_option("--split", options->split, "train, val or test; splits never share instances").show_default();
    command.add_flag("--prompts", options->prompts, "Add the prompt, its format's name and its length");
    command.add_option("--format", options->format,
                       "What the prompt asks for: a name of `optgap formats` or a format as JSON; forge, of programs "
                       "program, unless given");
    command
        .add_option("--style", options->style,
                    "Prompt style; all: a row for each, without the one kept for evaluation when the split is train; "
                    "drawn: one "
                    "of these per row, by its key")
        .show_default();
    command.add_option("--max-prompt-chars", options->max_prompt_chars, "Reject rows with a longer prompt").at_least(1);
    command.add_flag("--canonical", options->canonical,
                     "Add the key that an instance has under all its labels, and whether it is coarse");
    command.add_flag(
        "--unique", options->unique,
        "Leave out seeds that repeat an instance, with --canonical one under any labels; says how many on stderr");
    command.add_option("--candidate", options->candidate, "What a completion is to hold: an answer or a program")
        .show_default();
    command.add_option("--language", options->language, "Of programs: python (the default) or cpp");
    command.add_option("--instances", options->instances, "Hidden instances of a problem of programs, 10 by default")
        .between(1, 1000);
    command.add_option("--limits", options->limits,
                       "Of programs: train (the default), river, ahc, or an object as JSON");
    command.add_option("--input", options->input,
                       "What programs read: plain (numbers; usual in cpp) or json (one line; usual in python)");
    command.add_option("--interface", options->interface,
                       "Of programs: stdio (the default) or solve, a function of Python that gets parsed arguments");
    command.add_flag("--trusted", options->trusted,
                     "Run environments as this user; else an isolation level holds them");
    command.add_option("--isolation", options->isolation,
                       "Of environments: namespaces, jail, or auto, the first that holds (the default)");
    command.on_run([&ctx, options] { generate_candidates(ctx, *options); });
}

}  // namespace optgap::cli
