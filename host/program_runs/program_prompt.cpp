#include "host/program_runs/program_prompt.hpp"

#include <vector>

#include "host/programs/problem.hpp"
#include "host/programs/statement.hpp"
#include "optgap/status.hpp"

namespace optgap::program_runs {

program_prompt prompt_of(engine const& by, program_problem const& of, std::int32_t style) {
    if (style < 0 || style >= programs::statement_styles) {
        misuse("style: " + std::to_string(style) + " does not exist, expected 0 to " +
               std::to_string(programs::statement_styles - 1));
    }
    if (of.specs.empty() || of.specs[0].task < 0) {
        return {of.key, {}};
    }
    programs::problem_key key = programs::parse_problem_key(of.key);
    key.first.style = style;
    std::vector<std::vector<std::int32_t>> words;
    for (std::int64_t k = 0; k < of.count(); ++k) {
        words.emplace_back(of.instances.blocks.row(k).begin(), of.instances.blocks.row(k).end());
    }
    instance_spec const shown = programs::example_of(key, of.task);
    instance_batch const example = by.generate({&shown, 1});
    programs::program_language const language = programs::language_named(of.language);
    programs::input_form const input =
        of.input.empty() ? programs::usual_form(language) : programs::input_form_named(of.input);
    return {programs::to_string(key), programs::write_statement(by, {.task = of.task,
                                                                     .instances = words,
                                                                     .example = example.blocks.row(0),
                                                                     .language = language,
                                                                     .input = input,
                                                                     .limits = programs::parse_limits(of.limits),
                                                                     .style = style,
                                                                     .format = of.format})};
}

}  // namespace optgap::program_runs
