// optgap serve: one daemon per node that owns the GPU, the CPU pool and the caches of all trainer processes.

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "host/rows/json/jsonl.hpp"
#include "host/rows/packages/package.hpp"
#include "host/store/snapshot.hpp"
#include "optgap/server.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr double patience_seconds = 10;

struct serve_options {
    server_options server;
    std::string baselines;
    bool status = false;
    bool stop = false;
};

std::atomic<server*> running{nullptr};

void on_signal(int /*which*/) {
    if (server* const one = running.load()) {
        one->stop();
    }
}

void show_status(context const& ctx, std::string const& path) {
    std::string const text = daemon_statistics(path);
    fmt::print("{}\n", ctx.json ? text : indented_json(text));
}

void listen(context& ctx, serve_options& options) {
    parse_device(ctx.device_name, options.server.engine);
    options.server.engine.threads = ctx.threads;
    options.server.kinds = ctx.packages;
    static_cast<void>(package_options(ctx.packages));  // one that is broken is named now
    if (!options.baselines.empty()) {
        store::snapshot_place const found =
            store::find_snapshot(std::filesystem::absolute(options.baselines).string(), "");
        options.server.snapshot_path = found.path;
        options.server.snapshot_hash = found.hash;
    }
    if (!ctx.quiet) {
        options.server.log = [&ctx](std::string_view sentence) { ctx.warn(fmt::format("refused: {}", sentence)); };
    }
    server daemon(options.server);
    running = &daemon;
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    std::string const text = daemon.statistics();
    json_row about;
    std::string rule;
    about.split(text, rule);
    fmt::print("optgap serve: listening at {} ({}, {} threads, process {})\n", daemon.path(),
               decode_json_string(*about.find("device")), *about.find("threads"), *about.find("pid"));
    std::fflush(stdout);
    bool const finished = daemon.run(patience_seconds);
    running = nullptr;
    if (!finished) {
        ctx.warn(fmt::format("calls were still under way after {} s and were given up", patience_seconds));
        std::fflush(nullptr);
        std::_Exit(exit_done);  // their threads cannot be ended, and their clients compute them again
    }
}

}  // namespace

void add_serve(command_line& app, context& ctx) {
    auto const options = std::make_shared<serve_options>();
    command_entry const command = app.add_command(
        "serve", "One daemon per node: GPU, CPU pool, baselines and programs' slots of all trainer processes",
        {"optgap serve", "optgap serve --baselines frozen.db",
         "optgap serve --socket /run/user/1000/og.sock --device cuda --device-memory 512",
         "optgap serve --status | jq .verbs.solve", "optgap serve --stop"},
        {"Runs in the foreground until SIGTERM, SIGINT or --stop, then finishes calls under way and ends with code 0.",
         "Engines with device auto find the default socket by themselves; OPTGAP_SERVER names another one or is off.",
         "What the daemon does not serve, the client computes itself: the bytes are the same."});
    server_options& server = options->server;
    command.add_option(
        "--socket", server.path,
        "Path of the socket; default $XDG_RUNTIME_DIR/optgap/serve.sock, else /tmp/optgap-UID/serve.sock");
    command.add_option("--connections", server.connections, "Most connections; each has a thread")
        .between(1, 65536)
        .show_default();
    command
        .add_option(
            "--request-mib", [options](std::int64_t mib) { options->server.request_bytes = mib << 20; },
            "Largest request in MiB, default 1024; four times that for all clients together")
        .between(1, 1 << 20);
    command
        .add_option(
            "--baseline-mib", [options](std::int64_t mib) { options->server.baseline_bytes = mib << 20; },
            "Memory for baselines in MiB, default 256")
        .between(0, 1 << 20);
    command
        .add_option(
            "--device-memory", [options](std::int64_t mib) { options->server.engine.device_memory = mib << 20; },
            "Memory for the GPU's arena and pinned ring in MiB, default 256")
        .between(1, 1 << 20);
    command.add_option("--launch-us", server.engine.launch_microseconds, "What a kernel launch aims to last at most")
        .between(1, 1'000'000)
        .show_default();
    command.add_option("--multiprocessors", server.engine.multiprocessors, "Fill at most this many; 0: all")
        .between(0, 1 << 16)
        .show_default();
    command.add_option("--slots", server.slots, "Clients' programs at once; 0: the processors less a quarter")
        .between(0, 4096)
        .show_default();
    command.add_option("--client-slots", server.client_slots, "Of them, what one client process may have; 0: all")
        .between(0, 4096)
        .show_default();
    command.add_option(
        "--isolation", server.isolation,
        "What holds programs: auto, or an isolation level of `optgap sandbox`; opened with the first program");
    command.add_option(
        "--baselines", options->baselines,
        "Snapshot of a store that the node's clients read baselines from; one that reads another is refused");
    command.add_option(
        "--kinds", [](std::string const&) {},
        "Packages of Python whose kinds clients' rows may be of, such as one,two (docs/kinds.md)");
    command.add_flag("--take-all", server.take_all, "Clients send every call, also those that cost less in the client");
    option_entry const status =
        command.add_flag("--status", options->status, "Print what the running daemon says of itself, as JSON");
    command.add_flag("--stop", options->stop, "Stop the running daemon and wait until it has ended").excludes(status);
    command.on_run([&ctx, options] {
        if (options->status) {
            show_status(ctx, options->server.path);
        } else if (options->stop) {
            if (!stop_daemon(options->server.path, 2 * patience_seconds)) {
                throw io_error("the daemon is still there");
            }
        } else {
            listen(ctx, *options);
        }
    });
}

}  // namespace optgap::cli
