#pragma once
// One function per subcommand, each in the file of its name. A command adds itself to the command line and says
// what it runs; it reports rejected rows by context::end_with and everything worse by exceptions. Commands that need
// Python declare themselves by files (python_commands.hpp).

#include <string>
#include <vector>

#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// The files of a command's rows: one or more paths or "-".
void add_files(command_entry command, std::vector<std::string>& files, std::string const& what);
/// How a JSONL command treats its rows, for the end of its help.
extern char const* const rows_help;

// Look
void add_demo(command_line& app, context& ctx);
void add_tasks(command_line& app, context& ctx);
void add_formats(command_line& app, context& ctx);
void add_kinds(command_line& app, context& ctx);
void add_rules(command_line& app, context& ctx);
void add_explain(command_line& app, context& ctx);
void add_info(command_line& app, context& ctx);
void add_page(command_line& app, context& ctx);
void add_suite(command_line& app, context& ctx);
void add_sandbox(command_line& app, context& ctx);

// Make
void add_generate(command_line& app, context& ctx);
void add_relabel(command_line& app, context& ctx);
void add_convert(command_line& app, context& ctx);
void add_bench_set(command_line& app, context& ctx);
void add_rubric(command_line& app, context& ctx);
void add_problem(command_line& app, context& ctx);

// Score
void add_score(command_line& app, context& ctx);
void add_verify(command_line& app, context& ctx);
void add_advantages(command_line& app, context& ctx);
void add_rescore(command_line& app, context& ctx);
void add_diff(command_line& app, context& ctx);

// Prove
void add_solve(command_line& app, context& ctx);
void add_certify(command_line& app, context& ctx);
void add_improve(command_line& app, context& ctx);
void add_recompute(command_line& app, context& ctx);
void add_store(command_line& app, context& ctx);
void add_report(command_line& app, context& ctx);

// Measure
void add_eval(command_line& app, context& ctx);
void add_stats(command_line& app, context& ctx);
void add_bench(command_line& app, context& ctx);
void add_gates(command_line& app, context& ctx);

// Train
void add_pool(command_line& app, context& ctx);
void add_propose_prompt(command_line& app, context& ctx);
void add_curriculum(command_line& app, context& ctx);
void add_serve(command_line& app, context& ctx);

/// ray: no command, in no list, and answered with what there is.
void add_missing(command_line& app);

}  // namespace optgap::cli
