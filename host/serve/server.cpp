#include "optgap/server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <list>
#include <new>
#include <thread>

#include <nlohmann/json.hpp>

#include "host/remote/build_fingerprint.hpp"
#include "host/serve/connection.hpp"
#include "host/serve/policy.hpp"

namespace optgap {

namespace {

using clock = std::chrono::steady_clock;
using namespace serve;

constexpr std::chrono::milliseconds beat_every{100};

[[noreturn]] void refuse_setting(std::string const& sentence) {
    throw error(status::invalid_argument, "server: " + sentence);
}

engine_options computing_here(engine_options options) {
    options.server = "off";
    return options;
}

engine_options proving(engine_options const& options) {
    return {.where = device::cpu, .threads = options.threads, .server = "off"};
}

std::string path_of(server_options const& options) {
    if (!options.path.empty()) {
        return options.path;
    }
    std::string const path = default_path();
    std::string const folder = path.substr(0, path.rfind('/'));
    std::string why;
    if ((::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) || !trusted_folder(path, why)) {
        refuse_setting(why.empty() ? folder + ": " + std::strerror(errno) : why);
    }
    return path;
}

/// Held as long as the daemon lives; the kernel lets go of it however the daemon ends.
descriptor lock_of(std::string const& path) {
    std::string const name = path + ".lock";
    descriptor lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock) {
        refuse_setting(name + ": " + std::strerror(errno));
    }
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        refuse_setting("another daemon listens at " + path + "; `optgap serve --stop --socket " + path + "` ends it");
    }
    return lock;
}

/// With the lock held a socket file is what a daemon that died has left.
void remove_stale(std::string const& path) {
    struct stat about {};
    if (::lstat(path.c_str(), &about) != 0) {
        return;
    }
    if (!S_ISSOCK(about.st_mode)) {
        refuse_setting(path + " exists and is no socket");
    }
    ::unlink(path.c_str());
}

}  // namespace

struct server::state {
    explicit state(server_options const& given)
        : options(given),
          path(path_of(given)),
          lock(lock_of(path)),
          by(computing_here(given.engine)),
          prover(proving(given.engine)),
          place(by, prover, given.baseline_bytes, {.bytes = given.request_bytes}),
          programs({given.isolation, given.slots, given.client_slots}, given.request_bytes),
          rows(place, given.kinds),
          book(given.log),
          wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          terms(place, book) {
        if (given.connections < 1 || given.request_bytes < 1 || given.baseline_bytes < 0) {
            refuse_setting("connections and request_bytes: expected positive numbers, baseline_bytes: 0 or more");
        }
        if (given.slots < 0 || given.slots > 4096 || given.client_slots < 0) {
            refuse_setting("slots: expected 0 to 4096, client_slots: 0 or more");
        }
        if (given.snapshot_path.empty() != given.snapshot_hash.empty()) {
            refuse_setting("snapshot_path and snapshot_hash: expected both or none");
        }
        constexpr std::array isolations{"auto", "wasm", "namespaces", "jail", "command"};
        if (std::find(isolations.begin(), isolations.end(), given.isolation) == isolations.end()) {
            refuse_setting("isolation '" + given.isolation +
                           "' is not known; expected auto, wasm, namespaces, jail or command");
        }
        terms.programs = &programs;
        terms.rows = &rows;
        descriptor writable;
        page = segment::create(sizeof(status_page), writable, true);
        page_descriptor = std::move(writable);
        pulse = new (page.data()) status_page;
        terms.greeting.max_bytes = given.request_bytes;
        set_min_rows(terms.greeting.min_rows, by.where() == device::cuda, given.take_all);
        // Rows of JSON are grades above all.
        terms.greeting.min_json_rows = terms.greeting.min_rows[std::size_t(verb::grade)];
        terms.build = build_fingerprint(by.tasks());
        terms.snapshot = given.snapshot_hash;
        terms.snapshot_path = given.snapshot_path;
        terms.status_page = page_descriptor.get();
        terms.max_mapped = 4 * given.request_bytes;
        terms.statistics = [this] { return statistics(); };
        terms.stop = [this] { stop(); };
        remove_stale(path);
        socket = listen_at(path);
        beating = std::jthread([this](std::stop_token const& over) { beat(over); });
    }

    /// A client that waits looks at this rather than at a clock of its own: it moves as long as the daemon does.
    void beat(std::stop_token const& over) {
        std::mutex mutex;
        std::unique_lock locked(mutex);
        std::condition_variable_any never;
        while (!over.stop_requested()) {
            pulse->beat.fetch_add(1, std::memory_order_relaxed);
            never.wait_for(locked, over, beat_every, [] { return false; });
        }
    }

    void stop() noexcept {
        terms.stopping = true;
        wake_up();
    }
    void wake_up() const noexcept {
        std::uint64_t const one = 1;
        static_cast<void>(!::write(wake.get(), &one, sizeof one));
    }

    struct client {
        client(connection_terms& of, descriptor from, peer who) : link(of, std::move(from), who) {}
        connection link;
        std::thread thread;
        bool over = false;  ///< under `lock_of_clients`
    };

    void accept() {
        descriptor from(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!from) {
            if (errno == EMFILE || errno == ENFILE) {
                book.turned_away(refusal::connections, "no file descriptor is left");
                std::this_thread::sleep_for(std::chrono::milliseconds(50));  // poll would return at once again
            }
            return;
        }
        peer const who = peer_of(from);
        if (who.user != ::geteuid() && who.user != 0) {
            std::string const why =
                "this daemon serves user " + std::to_string(::geteuid()) + ", not user " + std::to_string(who.user);
            book.turned_away(refusal::credentials, why);
            connection::dismiss(from, refusal::credentials, why);
            return;
        }
        std::lock_guard const locked(lock_of_clients);
        if (clients.size() >= std::size_t(options.connections)) {
            std::string const why = "all " + std::to_string(options.connections) + " connections are taken";
            book.turned_away(refusal::connections, why);
            connection::dismiss(from, refusal::connections, why);
            return;
        }
        client& one = clients.emplace_back(terms, std::move(from), who);
        book.opened(who.process);
        try {
            one.thread = std::thread([this, &one] { attend(one); });
        } catch (std::system_error const& problem) {
            book.turned_away(refusal::connections, std::string("no thread for a client: ") + problem.what());
            book.closed(who.process);
            clients.pop_back();
        }
    }

    void attend(client& one) {
        one.link.run();
        {
            std::lock_guard const mine(lock_of_clients);
            one.over = true;
            ended.notify_all();
        }
        wake_up();
    }

    /// Joins the threads whose clients are gone. One counts as a connection for as long as anything of it is held.
    void reap() {
        std::list<client> gone;
        {
            std::lock_guard const locked(lock_of_clients);
            for (auto one = clients.begin(); one != clients.end();) {
                auto const next = std::next(one);
                if (one->over) {
                    gone.splice(gone.end(), clients, one);
                }
                one = next;
            }
        }
        while (!gone.empty()) {
            gone.front().thread.join();
            int const process = gone.front().link.who().process;
            gone.pop_front();
            book.closed(process);
        }
    }

    void listen() {
        while (!terms.stopping) {
            pollfd ready[2] = {{socket.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
            static_cast<void>(::poll(ready, 2, -1));
            std::uint64_t count = 0;
            static_cast<void>(!::read(wake.get(), &count, sizeof count));
            if ((ready[0].revents & POLLIN) != 0 && !terms.stopping) {
                accept();
            }
            reap();
        }
    }

    bool finish(double patience_seconds) {
        terms.stopping = true;
        socket.reset();
        ::unlink(path.c_str());
        bool all_over = false;
        {
            std::unique_lock locked(lock_of_clients);
            for (client const& one : clients) {
                one.link.end();
            }
            all_over = ended.wait_for(locked, std::chrono::duration<double>(patience_seconds), [&] {
                return std::all_of(clients.begin(), clients.end(), [](client const& one) { return one.over; });
            });
        }
        reap();
        return all_over;
    }

    [[nodiscard]] std::string statistics() const {
        nlohmann::ordered_json out{
            {"version", OPTGAP_VERSION},
            {"pid", ::getpid()},
            {"path", path},
            {"uptime", std::chrono::duration<double>(clock::now() - begun).count()},
            {"device", by.device_name()},
            {"threads", by.threads()},
        };
        book.write(out);
        baseline_counts const known = place.baselines();
        out["baselines"] = {{"entries", known.entries}, {"bytes", known.bytes},       {"hits", known.from_memory},
                            {"misses", known.claimed},  {"evictions", known.evicted}, {"joins", known.joined},
                            {"proven", known.proven}};
        out["snapshot"] = options.snapshot_path.empty() ? nlohmann::ordered_json(nullptr)
                                                        : nlohmann::ordered_json{{"path", options.snapshot_path},
                                                                                 {"content", options.snapshot_hash}};
        out["programs"] = programs.statistics();
        out["requests_mapped"] = terms.mapped.load();
        out["device_status"] = nlohmann::ordered_json::parse(to_json(by.device_status()));
        return out.dump();
    }

    server_options options;
    std::string path;
    descriptor lock;
    optgap::engine by;
    optgap::engine prover;
    workplace place;
    program_place programs;
    row_place rows;
    ledger book;
    descriptor wake;
    connection_terms terms;
    segment page;
    descriptor page_descriptor;
    status_page* pulse = nullptr;
    descriptor socket;
    clock::time_point const begun = clock::now();
    mutable std::mutex lock_of_clients;
    std::condition_variable ended;
    std::list<client> clients;
    std::jthread beating;
};

server::server(server_options const& options) : state_(std::make_unique<state>(options)) {}

server::~server() {
    state_->finish(0);
    for (state::client& one : state_->clients) {
        one.thread.join();
    }
}

bool server::run(double patience_seconds) {
    state_->listen();
    return state_->finish(patience_seconds);
}

void server::stop() noexcept { state_->stop(); }
std::string server::statistics() const { return state_->statistics(); }
std::string const& server::path() const { return state_->path; }
std::string server::default_path() { return serve::default_path(); }

}  // namespace optgap
