#include "tools/cli/make/generate_programs.hpp"

#include <fmt/format.h>

#include "host/programs/problem.hpp"
#include "host/programs/statement.hpp"
#include "host/rows/read/rollout.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/shell/progress.hpp"

namespace optgap::cli {
namespace {

std::vector<std::int32_t> statement_styles_of(program_problem_options const& options) {
    if (options.style == "all") {
        std::vector<std::int32_t> all;
        std::int32_t const kept = options.part == split::train ? 1 : 0;
        for (std::int32_t style = 0; style < programs::statement_styles - kept; ++style) {
            all.push_back(style);
        }
        return all;
    }
    std::int64_t style = -1;
    if (!is_decimal(options.style, style) || style < 0 || style >= programs::statement_styles) {
        throw usage_error(fmt::format("--style {}: statements of programs have styles 0 to {}, or say all",
                                      options.style, programs::statement_styles - 1));
    }
    return {std::int32_t(style)};
}

}  // namespace

void generate_program_rows(context& ctx, program_problem_options const& options) {
    engine const& by = ctx.get_engine();
    programs::program_language const language = programs::language_named(options.language);
    programs::program_limits const limits = programs::parse_limits(options.limits);
    programs::program_interface const interface = programs::interface_named(options.interface, language);
    programs::input_form const input =
        options.input.empty() ? programs::usual_form(language) : programs::input_form_of(options.input, interface);
    std::int32_t format = 0;
    try {
        format = format_of_text(options.format, format_use::programs);
    } catch (field_error const& broken) {
        throw usage_error(fmt::format("--format {}", broken.rule()));
    }
    std::vector<std::int32_t> const styles = statement_styles_of(options);
    std::uint64_t const seeds = std::uint64_t(options.count) * std::uint64_t(options.instances);
    if (options.seed > UINT64_MAX - (seeds - 1)) {
        throw usage_error("--seed, --count and --instances: the last seed must fit into 64 bits");
    }
    row_output output;
    progress bar("generate", "problems", options.count * std::int64_t(options.tasks.size()), ctx.quiet);
    std::int64_t done = 0;
    for (std::int32_t const task : options.tasks) {
        task_info const& info = by.tasks()[std::size_t(task)];
        for (std::int64_t p = 0; p < options.count; ++p) {
            programs::problem_key key;
            key.first.task = info.name;
            key.first.version = info.version;
            key.first.part = options.part;
            key.first.level = options.level;
            key.first.seed = options.seed + std::uint64_t(p) * std::uint64_t(options.instances);
            key.count = options.instances;
            instance_batch const hidden = by.generate(programs::specs_of(key, task));
            std::vector<std::vector<std::int32_t>> words;
            std::vector<instance_hash> hashes;
            for (std::int64_t k = 0; k < hidden.size(); ++k) {
                words.emplace_back(hidden.blocks.row(k).begin(), hidden.blocks.row(k).end());
                hashes.push_back(hash_words(words.back()));
            }
            key.first.hash = hex8(programs::problem_hash(hashes));
            instance_spec const shown = programs::example_of(key, task);
            instance_batch const example = by.generate({&shown, 1});
            for (std::int32_t const style : styles) {
                key.first.style = style;
                row_writer row(output.buffer(), nullptr);
                row.text("key", programs::to_string(key));
                row.text("task", info.name);
                row.text("level", level_name(options.level));
                row.text("language", programs::name_of(language));
                row.text("input", programs::name_of(input));
                if (interface != programs::program_interface::stdio) {
                    row.text("interface", programs::name_of(interface));
                }
                row.raw("limits", programs::limits_json(limits));
                row.text("format", to_text(known_formats()[std::size_t(format)]));
                if (options.prompts) {
                    programs::statement_request const request{task,
                                                              words,
                                                              example.blocks.row(0),
                                                              language,
                                                              input,
                                                              limits,
                                                              style,
                                                              known_formats()[std::size_t(format)],
                                                              interface};
                    std::string const prompt = programs::write_statement(by, request);
                    row.text("prompt", prompt);
                    row.integer("prompt_chars", characters(prompt));
                }
                row.finish();
                output.end_row();
            }
            bar.update(++done);
        }
    }
    output.finish(ctx);
}

}  // namespace optgap::cli
