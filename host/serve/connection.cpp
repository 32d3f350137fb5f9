#include "host/serve/connection.hpp"

#include <sys/socket.h>

#include <cstring>
#include <new>

#include "host/remote/wire.hpp"
#include "optgap/status.hpp"

namespace optgap::serve {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds hello_limit{2000};

std::string named(peer const& who) {
    return "process " + std::to_string(who.process) + " of user " + std::to_string(who.user);
}

}  // namespace

connection::~connection() { terms_.mapped -= std::int64_t(in_.size()); }

void connection::end() const { ::shutdown(socket_.get(), SHUT_RD); }

void connection::dismiss(descriptor const& socket, refusal kind, std::string const& why) {
    welcome answer;
    answer.refused = kind;
    answer.reason = why;
    static_cast<void>(send(socket, &answer, sizeof answer));
}

bool connection::greet() {
    hello opening;
    descriptor attached;
    arrival const came = receive(socket_, &opening, sizeof opening, attached, hello_limit);
    refusal kind = refusal::none;
    std::string why;
    if (came == arrival::ended) {
        return false;
    }
    if (came == arrival::nothing) {
        kind = refusal::silence;
        why = named(who_) + " said nothing for " + std::to_string(hello_limit.count()) + " ms";
    } else if (came == arrival::wrong || opening.mark != magic || opening.version != protocol_version || attached) {
        kind = refusal::protocol;
        why = named(who_) + " does not speak protocol " + std::to_string(protocol_version);
    } else if (opening.control == 0 && opening.build != terms_.build) {
        kind = refusal::build;
        why = "this daemon is optgap " OPTGAP_VERSION
              " with tasks or formats that differ from the client's: both must be the same build";
    } else if (std::string_view const theirs = opening.baselines.view();
               opening.control == 0 && !theirs.empty() && !terms_.snapshot.empty() && theirs != terms_.snapshot) {
        kind = refusal::baselines;
        why = "this daemon's baselines are the snapshot of content " + terms_.snapshot.substr(0, 8) +
              ", and the client's of " + std::string(theirs.substr(0, 8)) + ": expected one for all of a node (" +
              terms_.snapshot_path + ")";
    } else if (terms_.stopping) {
        kind = refusal::stopping;
        why = "the daemon is stopping";
    }
    if (kind != refusal::none) {
        terms_.book.turned_away(kind, why);
        dismiss(socket_, kind, why);
        return false;
    }
    control_ = opening.control != 0;
    return send(socket_, &terms_.greeting, sizeof terms_.greeting, terms_.status_page);
}

bool connection::take_segment(descriptor& attached, std::string& why, refusal& kind) {
    kind = refusal::segment;
    std::int64_t const most = terms_.greeting.max_bytes + terms_.greeting.max_bytes / 4 + (1 << 20);
    segment fresh = segment::open(attached, std::size_t(most), why);
    if (fresh.data() == nullptr) {
        return false;
    }
    std::int64_t const more = std::int64_t(fresh.size()) - std::int64_t(in_.size());
    if (terms_.mapped.fetch_add(more) + more > terms_.max_mapped) {
        terms_.mapped -= more;
        kind = refusal::limit;
        why = "all clients' requests together would take more than " + std::to_string(terms_.max_mapped) + " bytes";
        return false;
    }
    in_ = std::move(fresh);
    kind = refusal::none;
    return true;
}

std::byte* connection::room(std::size_t bytes, reply& answer, descriptor& fresh) {
    if (bytes > out_.size()) {
        out_ = segment();  // gone before its successor comes
        out_ = segment::create(bytes, fresh, true);
    }
    answer.size = bytes;
    answer.segment = out_.size();
    return out_.data();
}

void connection::control(request const& asked, reply& answer, descriptor& fresh) {
    if (asked.what == ask_status) {
        std::string const text = terms_.statistics();
        std::memcpy(room(text.size(), answer, fresh), text.data(), text.size());
    } else {
        terms_.stop();
    }
}

/// False when the connection is of no use any more.
bool connection::serve(request const& asked, descriptor& attached) {
    reply answer;
    answer.number = asked.number;
    descriptor fresh;
    refusal kind = refusal::none;
    std::string why;
    bool broken = false;
    bool const of_programs = is_of_programs(asked.what);
    bool const of_rows = asked.what == ask_rows;
    bool const is_work = is_served(asked.what) || of_programs || of_rows;
    bool const known = (is_work || asked.what == ask_status || asked.what == ask_stop) && asked.mark == magic;
    if (!known || (is_work && control_)) {
        kind = refusal::message;
        why = "a message that is no request";
        broken = true;
    } else if (attached && !take_segment(attached, why, kind)) {
        broken = kind == refusal::segment;
        if (!broken) {
            terms_.mapped -= std::int64_t(in_.size());  // the client has let go of the old one
            in_ = segment();
        }
    } else if (is_work && (in_.data() == nullptr || asked.size > in_.size())) {
        kind = refusal::segment;
        why = "a request of " + std::to_string(asked.size) + " bytes in a segment of " + std::to_string(in_.size());
        broken = true;
    } else if (!is_work) {
        control(asked, answer, fresh);
    } else {
        clock::time_point const begin = clock::now();
        try {
            auto const bytes = in_.first(std::size_t(asked.size));
            auto const results = [&](std::size_t size) { return room(size, answer, fresh); };
            if (of_programs) {
                terms_.programs->serve(asked.what, bytes, results, socket_.get(), who_.process);
                return send(socket_, &answer, sizeof answer, fresh.get());
            }
            std::int64_t const rows =
                of_rows ? terms_.rows->serve(bytes, results) : terms_.place.serve(asked.what, bytes, results);
            terms_.book.served(asked.what, rows, std::size_t(asked.size), std::size_t(answer.size),
                               clock::now() - begin);
        } catch (refused_request const& problem) {
            kind = problem.kind();
            why = problem.what();
        } catch (wire_error const& problem) {
            kind = refusal::request;
            why = problem.what();
        } catch (std::bad_alloc const&) {
            kind = refusal::limit;
            why = "out of memory";
        } catch (std::exception const& problem) {
            kind = refusal::failed;
            why = problem.what();
        }
    }
    if (kind != refusal::none) {
        terms_.book.turned_away(kind, named(who_) + ": " + why);
        answer.refused = kind;
        answer.reason = why;
        answer.size = 0;
    }
    return send(socket_, &answer, sizeof answer, fresh.get()) && !broken;
}

void connection::run() {
    if (!greet()) {
        return;
    }
    for (;;) {
        request asked;
        descriptor attached;
        arrival const came = receive(socket_, &asked, sizeof asked, attached, std::chrono::milliseconds(-1));
        if (came == arrival::nothing) {
            continue;
        }
        if (came == arrival::wrong) {
            terms_.book.turned_away(refusal::message, named(who_) + ": a message of the wrong size");
        }
        if (came != arrival::whole || !serve(asked, attached)) {
            return;
        }
    }
}

}  // namespace optgap::serve
