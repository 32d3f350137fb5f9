#pragma once
// One function per subcommand, each in the file of its name. A command adds itself to the application and sets a
// callback; it reports rejected rows by context::end_with and everything worse by exceptions.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/cli/context.hpp"

namespace optgap::cli {

/// A subcommand with a description and, below its options, an "Examples:" list of one command a line, then remarks.
CLI::App* add_command(CLI::App& app, std::string const& name, std::string const& description,
                      std::vector<std::string> const& examples, std::vector<std::string> const& remarks = {});
/// Checks a number for at least `least`.
CLI::Validator at_least(std::int64_t least);
/// Checks a number for a seed: decimal, unsigned, 64 bits.
CLI::Validator seed_number();
/// The files of a command's rows: one or more paths or "-".
void add_files(CLI::App& command, std::vector<std::string>& files, std::string const& what);
/// How a JSONL command treats its rows, for the end of its help.
extern char const* const rows_help;

void add_tasks(CLI::App& app, context& ctx);
void add_info(CLI::App& app, context& ctx);
void add_generate(CLI::App& app, context& ctx);
void add_solve(CLI::App& app, context& ctx);
void add_improve(CLI::App& app, context& ctx);
void add_verify(CLI::App& app, context& ctx);
void add_score(CLI::App& app, context& ctx);
void add_advantages(CLI::App& app, context& ctx);
void add_eval(CLI::App& app, context& ctx);
void add_explain(CLI::App& app, context& ctx);
void add_rescore(CLI::App& app, context& ctx);
void add_diff(CLI::App& app, context& ctx);
void add_stats(CLI::App& app, context& ctx);
void add_curriculum(CLI::App& app, context& ctx);
/// dataset, preflight, report, ray: answered with a hint.
void add_python_only(CLI::App& app, context& ctx);

void add_bench(CLI::App& app, context& ctx);
void add_bench_set(CLI::App& app, context& ctx);
void add_serve(CLI::App& app, context& ctx);
void add_demo(CLI::App& app, context& ctx);

}  // namespace optgap::cli
