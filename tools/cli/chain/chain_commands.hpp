#pragma once
// The subcommands of `optgap chain`, each in the file of its name.

#include <memory>
#include <string>
#include <vector>

#include "optgap/chains/chain.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

void add_chain_compile(command_entry chain, context& ctx);
void add_chain_check(command_entry chain, context& ctx);
void add_chain_floors(command_entry chain, context& ctx);
void add_chain_explain(command_entry chain, context& ctx);
void add_chain_import(command_entry chain, context& ctx);
void add_chain_sample(command_entry chain, context& ctx);

/// Whose rows `import` reads; tools/demo/labels has a few of each.
inline std::vector<std::string> const imported_data_sets{"rlvrr", "ifeval", "ifbench", "if-rlvr", "rubric"};

/// What commands over rows with a chain have alike.
struct chain_row_options {
    std::vector<std::string> files;
    std::string preset;
    std::string isolation;  ///< of checks in Python; empty: a chain that has some is refused
    std::int32_t slots = 0;
};

/// --chain-preset, and the files.
void add_chain_row_options(command_entry command, chain_row_options& options);

/// --isolation and --slots.
void add_code_options(command_entry command, chain_row_options& options);

/// The chain of a row; throws field_error. A row's own `prompt` counts where the chain has none.
chain::reward_chain row_chain(json_row const& row, std::string const& preset);

}  // namespace optgap::cli
