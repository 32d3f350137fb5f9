// optgap: the command line. Subcommands live in the files of their names; this one has the common options and maps
// failures to the contract's exit codes.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>

#include <fmt/format.h>

#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/former_words.hpp"
#include "tools/cli/shell/python/python_commands.hpp"
#include "tools/cli/shell/python/python_process.hpp"
#include "tools/cli/shell/say.hpp"

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

void add_common_options(command_line& app, context& ctx) {
    app.add_option(
        "--device",
        [&ctx](std::string const& name) {
            engine_options unused;
            parse_device(name, unused);
            ctx.device_name = name;
        },
        "auto, cpu or cuda, default auto; cuda:2 or auto:2 for that GPU; a cuda that cannot start ends with code 3");
    app.add_option("--threads", ctx.threads, "CPU threads; 0 takes what the machine and its cgroup allow")
        .between(0, 4096)
        .show_default();
    app.add_option("--server", ctx.server,
                   "Socket of a daemon (optgap serve) to send work to, or off; a command finds none by itself")
        .show_default();
    app.add_flag("--json", ctx.json, "Machine-readable output where the default is a table");
    app.add_flag("--quiet", ctx.quiet, "No progress bar and no remarks on stderr");
}

/// Files of Parquet are rows, too: Python writes them as lines of JSON and calls this program again.
void convert_parquet(command_line const& app, std::vector<std::string> const& words) {
    std::string places;
    for (std::size_t k = app.command_place(words) + 1; k < words.size(); ++k) {
        if (words[k].ends_with(".parquet") && std::filesystem::is_regular_file(words[k])) {
            places += (places.empty() ? "" : ",") + std::to_string(k);
        }
    }
    if (!places.empty() && !names_python_command(app, words)) {
        std::vector<std::string> arguments{places, this_program()};
        arguments.insert(arguments.end(), words.begin(), words.end());
        become_python("optgap.data.parquet_rows", "main", arguments);
    }
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
    say("optgap: ");
    say(sentence);
    say("\n");
    return code;
}

int run(int argc, char** argv) {
    context ctx;
    ctx.command_line = "optgap";
    std::vector<std::string> const given = current_words(argc, argv);
    ctx.typed.assign(given.begin() + std::min(argc, 1), given.end());
    for (std::string const& word : ctx.typed) {
        ctx.command_line += ' ' + word;
    }
    ctx.take_packages();
    command_line app(
        {.name = "optgap",
         .description = "Optimality gaps of what language models answer, in bulk: instances, prompts, verdicts, "
                        "rewards, advantages.",
         .version = "optgap " OPTGAP_VERSION,
         .closing = "Examples:\n"
                    "  optgap tasks\n"
                    "  optgap generate tsp --level hard --count 4 --prompts > rows.jsonl\n"
                    "  optgap solve rows.jsonl | optgap verify - > checked.jsonl\n"
                    "  optgap score rollouts.jsonl | optgap eval -\n"
                    "\n"
                    "optgap COMMAND --help says more, with examples. The common options may stand before or after the "
                    "command."});
    add_common_options(app, ctx);
    app.add_group("Look", [&] {
        add_demo(app, ctx);
        add_tasks(app, ctx);
        add_formats(app, ctx);
        add_kinds(app, ctx);
        add_rules(app, ctx);
        add_explain(app, ctx);
        add_info(app, ctx);
        add_page(app, ctx);
        add_suite(app, ctx);
        add_sandbox(app, ctx);
        add_python_commands(app, ctx, "Look");
    });
    app.add_group("Make", [&] {
        add_generate(app, ctx);
        add_relabel(app, ctx);
        add_convert(app, ctx);
        add_bench_set(app, ctx);
        add_rubric(app, ctx);
        add_problem(app, ctx);
        add_python_commands(app, ctx, "Make");
    });
    app.add_group("Score", [&] {
        add_score(app, ctx);
        add_verify(app, ctx);
        add_advantages(app, ctx);
        add_rescore(app, ctx);
        add_diff(app, ctx);
        add_python_commands(app, ctx, "Score");
    });
    app.add_group("Prove", [&] {
        add_solve(app, ctx);
        add_certify(app, ctx);
        add_improve(app, ctx);
        add_recompute(app, ctx);
        add_store(app, ctx);
        add_report(app, ctx);
        add_python_commands(app, ctx, "Prove");
    });
    app.add_group("Measure", [&] {
        add_eval(app, ctx);
        add_stats(app, ctx);
        add_bench(app, ctx);
        add_gates(app, ctx);
        add_python_commands(app, ctx, "Measure");
    });
    app.add_group("Train", [&] {
        add_curriculum(app, ctx);
        add_serve(app, ctx);
        add_pool(app, ctx);
        add_propose_prompt(app, ctx);
        add_python_commands(app, ctx, "Train");
    });
    add_python_commands(app, ctx, "");
    add_missing(app);
    convert_parquet(app, ctx.typed);
    int const usage = app.run(ctx.typed);
    return usage == exit_done ? ctx.result : usage;
}

/// Nothing is thrown past it: whatever goes wrong is a sentence and a code.
int guarded(int argc, char** argv) {
    try {
        int const code = run(argc, argv);
        // What is still in a buffer may be all that was asked for.
        if (code < exit_usage && (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
            return fail(exit_failed, fmt::format("cannot write to stdout: {}", std::strerror(errno)).c_str());
        }
        return code;
    } catch (usage_error const& problem) {
        return fail(exit_usage, problem.what());
    } catch (error const& problem) {
        return fail(exit_code_of(problem.code()), problem.what());
    } catch (std::bad_alloc const&) {
        return fail(exit_failed, "out of memory");
    } catch (std::exception const& problem) {
        return fail(exit_failed, problem.what());
    } catch (...) {
        return fail(exit_failed, "something failed that says nothing of itself");
    }
}

/// A file must not become stdout or stderr because its caller closed them. What stands in for them fails as they would.
void fill_standard_streams() {
    for (int stream = 0; stream < 3; ++stream) {
        if (fcntl(stream, F_GETFD) < 0) {
            static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

}  // namespace
}  // namespace optgap::cli

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_DFL);
    optgap::cli::fill_standard_streams();
    return optgap::cli::guarded(argc, argv);
}
