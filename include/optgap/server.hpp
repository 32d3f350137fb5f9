#pragma once  // Experimental.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

struct server_options {
    std::string path;       ///< of the socket; empty: server::default_path()
    engine_options engine;  ///< `server` is not read: a daemon does its own computing
    std::int32_t connections = 256;
    std::int64_t request_bytes = std::int64_t(1) << 30;     ///< of one request; all mapped ones share four times that
    std::int64_t baseline_bytes = std::int64_t(256) << 20;  ///< of the cache
    std::int32_t slots = 0;          ///< programs at once, of all clients; 0: the processors less a quarter
    std::int32_t client_slots = 0;   ///< the most that one client process may have; 0: all
    std::string isolation = "auto";  ///< the isolation level of programs, opened with the first
    /// Path and content hash of the snapshot that the node's clients read baselines from; empty: none.
    std::string snapshot_path = {}, snapshot_hash = {};
    std::vector<std::string> kinds = {};  ///< packages of users' kinds that clients' rows may be of (docs/kinds.md)
    bool take_all = false;                ///< clients send every call, also those that cost less without the daemon
    /// Gets a sentence about a client that was refused, at most once a second, on any thread.
    std::function<void(std::string_view)> log = {};
};

/// The node's daemon (docs/serve.md), for the command line, tests and programs that embed it.
class server {
public:
    /// Starts listening. Throws error{invalid_argument} when another daemon listens at this path, or listening fails.
    explicit server(server_options const& options);
    /// Finishes calls under way first.
    ~server();
    server(server const&) = delete;
    server& operator=(server const&) = delete;

    /// Serves until `stop`, then finishes calls under way for at most `patience_seconds`. Returns false when some still
    /// ran.
    bool run(double patience_seconds = 10);
    /// May be called from any thread and in a signal handler.
    void stop() noexcept;
    /// A JSON object: uptime, clients, calls by verb, refusals, cache, device.
    [[nodiscard]] std::string statistics() const;
    [[nodiscard]] std::string const& path() const;

    /// $XDG_RUNTIME_DIR/optgap/serve.sock, or /tmp/optgap-UID/serve.sock.
    static std::string default_path();

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Path of the daemon that an engine of these options asks; empty where the options or the environment say "off", or
/// there is no daemon. Throws error{invalid_argument}.
std::string daemon_path(engine_options const& options);
/// Statistics of a running daemon (server::statistics). Empty path: the default one. Throws error{device_unavailable}
/// when none answers.
std::string daemon_statistics(std::string const& path);
/// Asks a daemon to stop and waits until it has; false when it is still there after `patience_seconds`.
bool stop_daemon(std::string const& path, double patience_seconds);

}  // namespace optgap
