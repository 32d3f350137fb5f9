// optgap: the command line. Subcommands live in the files of their names; this one parses and maps failures to the
// contract's exit codes.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "optgap/status.hpp"
#include "tools/cli/commands.hpp"

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

void add_common_options(CLI::App& app, context& ctx) {
    app.add_option("--device", ctx.device_name,
                   "auto, cpu or cuda; an explicit cuda that cannot start ends with code 3")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--threads", ctx.threads, "CPU threads; 0 takes what the machine and its cgroup allow")
        ->check(CLI::Range(0, 4096))
        ->capture_default_str();
    app.add_option("--server", ctx.server,
                   "Socket of a daemon (optgap serve) to send work to, or off; a command finds none by itself")
        ->capture_default_str();
    app.add_flag("--json", ctx.json, "Machine-readable output where the default is a table");
    app.add_flag("--quiet", ctx.quiet, "No progress bar and no remarks on stderr");
}

/// What CLI11 says, and the closest command when the first word is none.
int usage_failure(CLI::App const& app, CLI::ParseError const& problem, int argc, char** argv) {
    char const* const first = argc > 1 ? argv[1] : "";
    std::vector<std::string> names;
    for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; })) {
        names.push_back(command->get_name());
    }
    bool const is_command = std::find(names.begin(), names.end(), first) != names.end();
    if (*first != '\0' && *first != '-' && !is_command) {
        fmt::print(stderr, "optgap: no command is named '{}'; there are: {}\n", first, closest_first(first, names));
    } else {
        std::string const command = is_command ? fmt::format(" {}", first) : "";
        fmt::print(stderr, "optgap{}: {}\nSee: optgap{} --help\n", command, problem.what(), command);
    }
    return exit_usage;
}

int exit_code_of(status code) {
    switch (code) {
        case status::invalid_argument:
        case status::unknown_task:
        case status::bad_instance: return exit_usage;
        default: return exit_failed;
    }
}

int fail(int code, char const* sentence) {
    fmt::print(stderr, "optgap: {}\n", sentence);
    return code;
}

int run(int argc, char** argv) {
    context ctx;
    ctx.command_line = "optgap";
    for (int i = 1; i < argc; ++i) {
        ctx.command_line += std::string(" ") + argv[i];
    }
    CLI::App app(
        "Optimality gaps of what language models answer, in bulk: instances, prompts, verdicts, rewards, advantages.",
        "optgap");
    app.set_version_flag("--version", "optgap " OPTGAP_VERSION);
    app.footer(
        "Examples:\n"
        "  optgap tasks\n"
        "  optgap generate tsp --level hard --count 4 --prompts > rows.jsonl\n"
        "  optgap solve rows.jsonl | optgap verify - > checked.jsonl\n"
        "  optgap score rollouts.jsonl | optgap eval -\n"
        "\n"
        "optgap COMMAND --help says more, with examples. The common options may stand before or after the command.");
    app.fallthrough();
    app.require_subcommand(1);
    add_common_options(app, ctx);
    add_tasks(app, ctx);
    add_info(app, ctx);
    add_generate(app, ctx);
    add_solve(app, ctx);
    add_improve(app, ctx);
    add_verify(app, ctx);
    add_score(app, ctx);
    add_advantages(app, ctx);
    add_eval(app, ctx);
    add_explain(app, ctx);
    add_rescore(app, ctx);
    add_diff(app, ctx);
    add_stats(app, ctx);
    add_curriculum(app, ctx);
    add_bench(app, ctx);
    add_bench_set(app, ctx);
    add_serve(app, ctx);
    add_demo(app, ctx);
    add_python_only(app, ctx);
    try {
        app.parse(argc, argv);
        return ctx.result;
    } catch (CLI::ParseError const& problem) {
        return problem.get_exit_code() == 0 ? app.exit(problem) : usage_failure(app, problem, argc, argv);
    } catch (usage_error const& problem) {
        return fail(exit_usage, problem.what());
    } catch (error const& problem) {
        return fail(exit_code_of(problem.code()), problem.what());
    } catch (std::bad_alloc const&) {
        return fail(exit_failed, "out of memory");
    } catch (std::exception const& problem) {
        return fail(exit_failed, problem.what());
    }
}

}  // namespace
}  // namespace optgap::cli

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_DFL);
    return optgap::cli::run(argc, argv);
}
