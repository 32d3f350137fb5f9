#pragma once
// One client's connection, on a thread of its own.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "host/remote/segment.hpp"
#include "host/remote/socket.hpp"
#include "host/serve/ledger.hpp"
#include "host/serve/program_place.hpp"
#include "host/serve/row_place.hpp"
#include "host/serve/workplace.hpp"

namespace optgap::serve {

/// The state that all connections share.
struct connection_terms {
    connection_terms(workplace& by, ledger& into) : place(by), book(into) {}

    workplace& place;
    ledger& book;
    program_place* programs = nullptr;
    row_place* rows = nullptr;
    welcome greeting;             ///< of a client that is let in
    std::uint64_t build = 0;      ///< the daemon's
    std::string snapshot;         ///< content hash of the daemon's; empty: any client's is as good
    std::string snapshot_path;    ///< where clients find it
    int status_page = -1;         ///< descriptor
    std::int64_t max_mapped = 0;  ///< bytes of all requests' segments together
    std::atomic<std::int64_t> mapped{0};
    std::atomic<bool> stopping{false};
    std::function<std::string()> statistics;
    std::function<void()> stop;
};

class connection {
public:
    connection(connection_terms& terms, descriptor socket, peer who)
        : terms_(terms), socket_(std::move(socket)), who_(who) {}
    ~connection();
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;

    /// Until the client goes, breaks the protocol, or `end`.
    void run();
    /// No further request is taken. Any thread, while `run` runs.
    void end() const;
    [[nodiscard]] peer who() const { return who_; }
    /// Turns a client away before it has said anything.
    static void dismiss(descriptor const& socket, refusal kind, std::string const& why);

private:
    bool greet();
    bool serve(request const& asked, descriptor& attached);
    bool take_segment(descriptor& attached, std::string& why, refusal& kind);
    std::byte* room(std::size_t bytes, reply& answer, descriptor& fresh);
    void control(request const& asked, reply& answer, descriptor& fresh);

    connection_terms& terms_;
    descriptor socket_;
    peer who_;
    bool control_ = false;
    segment in_;   ///< the client's
    segment out_;  ///< ours
};

}  // namespace optgap::serve
