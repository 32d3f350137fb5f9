#pragma once
// One function per subcommand, each in the file of its name. A command adds itself to the application and sets a
// callback; it reports rejected rows by context::end_with and everything worse by exceptions.

#include "tools/cli/context.hpp"

namespace optgap::cli {

void add_tasks(CLI::App& app, context& ctx);
void add_info(CLI::App& app, context& ctx);
void add_generate(CLI::App& app, context& ctx);
void add_solve(CLI::App& app, context& ctx);
void add_improve(CLI::App& app, context& ctx);
void add_verify(CLI::App& app, context& ctx);
void add_score(CLI::App& app, context& ctx);
void add_eval(CLI::App& app, context& ctx);
void add_explain(CLI::App& app, context& ctx);
/// dataset, preflight, report, ray: answered with a hint.
void add_python_only(CLI::App& app, context& ctx);

void add_bench(CLI::App& app, context& ctx);
void add_demo(CLI::App& app, context& ctx);

}  // namespace optgap::cli
