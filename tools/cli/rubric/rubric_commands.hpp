#pragma once
// The subcommands of `optgap rubric`, each in the file of its name.

#include <memory>
#include <string>
#include <vector>

#include "optgap/rubrics/rubric.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

void add_rubric_compile(command_entry rubric, context& ctx);
void add_rubric_check(command_entry rubric, context& ctx);
void add_rubric_floors(command_entry rubric, context& ctx);
void add_rubric_explain(command_entry rubric, context& ctx);
void add_rubric_import(command_entry rubric, context& ctx);
void add_rubric_sample(command_entry rubric, context& ctx);

/// Whose rows `import` reads; tools/demo/labels has a few of each.
inline std::vector<std::string> const imported_data_sets{"rlvrr", "ifeval", "ifbench", "if-rlvr", "rubric"};

/// What commands over rows with a rubric have alike.
struct rubric_row_options {
    std::vector<std::string> files;
    std::string preset;
    std::string isolation;  ///< of checks in Python; empty: a rubric that has some is refused
    std::int32_t slots = 0;
};

/// --rubric-preset, and the files.
void add_rubric_row_options(command_entry command, rubric_row_options& options);

/// --isolation and --slots.
void add_code_options(command_entry command, rubric_row_options& options);

/// The rubric of a row; throws field_error. A row's own `prompt` counts where the rubric has none.
rubrics::text_rubric row_rubric(json_row const& row, std::string const& preset);

}  // namespace optgap::cli
