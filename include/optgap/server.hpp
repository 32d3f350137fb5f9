#pragma once  // Experimental.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "optgap/engine.hpp"

namespace optgap {

struct server_options {
    std::string path;       ///< of the socket; empty: server::default_path()
    engine_options engine;  ///< `server` is not read: a daemon computes itself
    std::int32_t connections = 256;
    std::int64_t request_bytes = std::int64_t(1) << 30;     ///< of one request; four times that for all that are mapped
    std::int64_t baseline_bytes = std::int64_t(256) << 20;  ///< of the cache
    std::int32_t slots = 0;          ///< programs at once, of all clients; 0: the processors less a quarter
    std::int32_t client_slots = 0;   ///< that one client process may have; 0: all
    std::string isolation = "auto";  ///< the rung that holds programs, opened with the first
    /// Where the snapshot lies that the node's clients read baselines from, and its content hash; empty: none.
    std::string snapshot_path = {}, snapshot_hash = {};
    bool take_all = false;  ///< clients send every call, also those that are cheaper at home
    /// Told in a sentence who is turned away, at most once a second, on any thread.
    std::function<void(std::string_view)> log = {};
};

/// The node's daemon (docs/serve.md), for the command line, tests and programs that embed it.
class server {
public:
    /// Listens from here on. Throws error{invalid_argument} when another one does at this path, or nothing can.
    explicit server(server_options const& options);
    /// Calls under way are finished first.
    ~server();
    server(server const&) = delete;
    server& operator=(server const&) = delete;

    /// Serves until `stop`, then finishes calls under way for at most `patience_seconds`. False when some still ran.
    bool run(double patience_seconds = 10);
    /// Any thread; also in a signal handler.
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

/// Where the daemon listens that an engine of these options asks; empty: they, or the environment, say off, or there is
/// none. Throws error{invalid_argument}.
std::string daemon_path(engine_options const& options);
/// What a running daemon says of itself (server::statistics). Empty path: the default one. Throws
/// error{device_unavailable} when none answers.
std::string daemon_statistics(std::string const& path);
/// Asks a daemon to stop and waits until it has; false when it is still there after `patience_seconds`.
bool stop_daemon(std::string const& path, double patience_seconds);

}  // namespace optgap
