// Subcommands that need Python: this program answers them with a hint.

#include <fmt/format.h>

#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

namespace {

void add_hint(command_line& app, std::string const& name, std::string const& description) {
    command_entry const command = app.add_command(name, fmt::format("{} (comes with the Python package)", description),
                                                  {"pip install optgap", fmt::format("optgap {} --help", name)});
    command.accept_anything();
    command.on_run([name] {
        throw usage_error(
            fmt::format("'{}' needs the Python package: pip install optgap (in a checkout: pip install .), "
                        "then run the same command",
                        name));
    });
}

}  // namespace

void add_dataset(command_line& app, context&) { add_hint(app, "dataset", "Export data sets for trainers"); }

void add_lm_eval_task(command_line& app, context&) {
    add_hint(app, "lm-eval-task", "The benchmark set as tasks of lm-evaluation-harness");
}

void add_bench_model(command_line& app, context&) {
    add_hint(app, "bench-model", "Benchmark a language model over an OpenAI-compatible endpoint");
}

void add_preflight(command_line& app, context&) {
    add_hint(app, "preflight", "Check a model's chat template before a run");
}

void add_filter(command_line& app, context&) {
    add_hint(app, "filter", "Of scored answers those worth imitating, for supervised training");
}

void add_recipe(command_line& app, context&) {
    add_hint(app, "recipe", "Training recipes of five papers: settings, prices, a trainer's files");
}

void add_audit(command_line& app, context&) {
    add_hint(app, "audit", "Does a reward pay what is right, and nothing else");
}

void add_external(command_line& app, context&) {
    add_hint(app, "external", "Environments of your own: external check NAME says what one is worth");
}

void add_missing(command_line& app) {
    command_entry const command = app.add_command("ray", "Many nodes: optgap.ray.recompute in Python", {});
    command.hide();
    command.accept_anything();
    command.on_run([] {
        throw usage_error(
            "'ray' is no command, but a call: optgap.ray.recompute(spec, store=..., shards=...); it comes with "
            "pip install 'optgap[ray]'");
    });
}

}  // namespace optgap::cli
