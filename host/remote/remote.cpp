#include "host/remote/remote.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <mutex>

#include <sys/stat.h>

#include "host/remote/build_fingerprint.hpp"
#include "host/remote/socket.hpp"
#include "optgap/fork.hpp"
#include "optgap/server.hpp"

namespace optgap {
namespace serve {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto look_at_pulse = 100ms;
constexpr auto greeting_limit = 500ms;  ///< for an answer to the hello
constexpr auto retry_after = 1s;
constexpr auto longest_retry = 32s;  ///< until a daemon that listens and does not answer is tried again

bool is_socket(std::string const& path) {
    struct stat about {};
    return ::stat(path.c_str(), &about) == 0 && S_ISSOCK(about.st_mode);
}

}  // namespace
}  // namespace serve

std::string daemon_path(engine_options const& options) {
    if (options.server == "off") {
        return {};
    }
    if (!options.server.empty()) {
        return options.server;
    }
    if (options.where != device::automatic) {
        return {};
    }
    if (char const* const named = std::getenv("OPTGAP_SERVER"); named != nullptr && *named != '\0') {
        return std::string_view(named) == "off" ? std::string() : std::string(named);
    }
    std::string why;
    std::string path = serve::default_path();
    return serve::is_socket(path) && serve::trusted_folder(path, why) ? path : std::string();
}

namespace serve {

/// One connection. Used by the thread that holds its lease.
struct remote::line {
    std::atomic<bool> busy{false};
    descriptor socket;
    segment out, in, page;
    welcome terms;
    std::uint32_t number = 0;

    [[nodiscard]] std::uint64_t beat() const {
        return reinterpret_cast<status_page const*>(page.data())->beat.load(std::memory_order_relaxed);
    }
    void hang_up() {
        socket.reset();
        out = {};
        in = {};
        page = {};
    }
};

/// The connections of one process.
struct remote::lines {
    std::uint32_t const generation = fork_generation();
    std::array<line, max_lines> all;
    std::mutex connecting;
    clock::time_point next_try{};
    std::chrono::seconds patience = retry_after;
    std::mutex words;
    std::string last_reason;
};

/// A line that no other thread uses, or none.
class remote::lease {
public:
    explicit lease(lines& of) {
        for (line& one : of.all) {
            if (!one.busy.load(std::memory_order_relaxed) && !one.busy.exchange(true, std::memory_order_acquire)) {
                line_ = &one;
                return;
            }
        }
    }
    ~lease() {
        if (line_ != nullptr) {
            line_->busy.store(false, std::memory_order_release);
        }
    }
    lease(lease const&) = delete;
    lease& operator=(lease const&) = delete;
    [[nodiscard]] line* get() const { return line_; }

private:
    line* line_ = nullptr;
};

remote::remote(engine_options const& options, std::string path, std::span<task_info const> tasks)
    : path_(std::move(path)),
      demanded_(!options.server.empty() && options.on_fallback == fallback::error),
      trusts_others_(!options.server.empty() && geteuid() == 0),
      build_(build_fingerprint(tasks)),
      baselines_(options.baselines),
      lines_(new lines) {}

remote::~remote() {
    lines* const mine = lines_;
    if (mine->generation == fork_generation()) {
        delete mine;
    }
}

remote::lines& remote::own_lines() {
    lines* found = lines_.load(std::memory_order_acquire);
    while (found->generation != fork_generation()) {
        auto fresh = std::make_unique<lines>();
        lines* const inherited = found;
        if (lines_.compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel)) {
            // The parent's connections are open here too. They are closed, so that the daemon sees when the parent
            // ends. Its memory is left alone, since a thread of the parent may have been changing it.
            for (line& one : inherited->all) {
                one.socket.reset();
            }
            return *fresh.release();
        }
    }
    return *found;
}

bool remote::greet(line& to, std::string& why, bool& slow, bool& was_refused) const {
    to.socket = connect_to(path_, why);
    if (!to.socket) {
        return false;
    }
    uid_t const theirs = peer_of(to.socket).user;
    if (theirs != geteuid() && !trusts_others_) {
        why = path_ + " belongs to user " + std::to_string(theirs) + ", not to this one";
        return false;
    }
    hello opening{.build = build_};
    opening.baselines = baselines_;
    descriptor page;
    // A daemon that refuses a client may have closed the connection already; its message can still be read.
    static_cast<void>(send(to.socket, &opening, sizeof opening));
    arrival const came = receive(to.socket, &to.terms, sizeof to.terms, page, greeting_limit);
    slow = came == arrival::nothing;
    if (came != arrival::whole || to.terms.mark != magic) {
        why = path_ + (slow ? ": no answer to the greeting" : ": the greeting was not understood");
        return false;
    }
    if (to.terms.refused != refusal::none || to.terms.version != protocol_version) {
        was_refused = true;
        why = path_ + ": refused: " + std::string(to.terms.reason.view());
        return false;
    }
    to.page = segment::open(page, std::size_t(1) << 20, why);
    return to.page.data() != nullptr;
}

bool remote::connect(lines& own, line& to, std::string& why, bool& was_refused) {
    std::lock_guard const one_at_a_time(own.connecting);
    if (clock::now() < own.next_try) {
        why = path_ + ": tried a moment ago";
        return false;
    }
    bool slow = false;
    if (greet(to, why, slow, was_refused)) {
        own.patience = retry_after;
        ++connects_;
        state_ = server_state::connected;
        return true;
    }
    to.hang_up();
    bool const hopeless = slow || was_refused;
    own.next_try = clock::now() + (hopeless ? own.patience : std::chrono::seconds(retry_after));
    own.patience = hopeless ? std::min<std::chrono::seconds>(2 * own.patience, longest_retry) : retry_after;
    state_ = was_refused ? server_state::refused : server_state::unreachable;
    return false;
}

bool remote::exchange(line& by, verb what, std::size_t size, std::function<void(std::byte*)> const& fill, reply& answer,
                      std::string& why) {
    descriptor fresh;
    if (size > by.out.size()) {
        by.out = segment::create(size, fresh, false);
    }
    fill(by.out.data());
    request const message{.what = what, .number = ++by.number, .size = size};
    if (!send(by.socket, &message, sizeof message, fresh.get())) {
        why = "the connection is lost";
        return false;
    }
    std::uint64_t seen = by.beat();
    clock::time_point moved = clock::now();
    descriptor attached;
    for (;;) {
        arrival const came = receive(by.socket, &answer, sizeof answer, attached, look_at_pulse);
        if (came == arrival::nothing) {
            if (by.beat() != seen) {
                seen = by.beat();
                moved = clock::now();
            } else if (clock::now() - moved > max_silence) {
                why = "no pulse for " + std::to_string(max_silence.count()) + " ms: the daemon hangs or was stopped";
                return false;
            }
            continue;
        }
        if (came != arrival::whole || answer.mark != magic || answer.number != by.number) {
            why = came == arrival::ended ? "the connection is lost" : "the reply was not understood";
            return false;
        }
        break;
    }
    if (attached) {
        by.in = segment::open(attached, std::size_t(answer.segment), why);
        if (by.in.data() == nullptr) {
            return false;
        }
    }
    if (answer.size > by.in.size()) {
        why = "the reply lies outside of its segment";
        return false;
    }
    return true;
}

bool remote::fail(std::string const& why, bool was_refused) {
    ++fallbacks_;
    refused_ += was_refused ? 1 : 0;
    lines& own = own_lines();
    {
        std::lock_guard const locked(own.words);
        own.last_reason = why;
    }
    if (demanded_) {
        throw error(status::device_unavailable, "server: " + why);
    }
    return false;
}

bool remote::exchange_call(verb what, std::int64_t rows, encoding const& call) {
    lines& own = own_lines();
    lease const held(own);
    line* const by = held.get();
    if (by == nullptr) {
        return fail("all " + std::to_string(max_lines) + " connections of this engine are in use", false);
    }
    std::string why;
    try {
        bool was_refused = false;
        if (!by->socket && !connect(own, *by, why, was_refused)) {
            return fail(why, was_refused);
        }
        if (rows < (what == ask_rows ? by->terms.min_json_rows : by->terms.min_rows[std::size_t(what)])) {
            ++small_;
            return false;
        }
        std::size_t const size = call.size();
        if (size > std::size_t(by->terms.max_bytes)) {
            return fail("the call takes " + std::to_string(size) + " bytes, the daemon accepts " +
                            std::to_string(by->terms.max_bytes),
                        true);
        }
        reply answer;
        bool const served = exchange(*by, what, size, call.write, answer, why);
        if (served && answer.refused != refusal::none) {
            return fail("refused: " + std::string(answer.reason.view()), true);
        }
        if (served) {
            reader from(by->in.first(std::size_t(answer.size)));
            call.read(from);
            from.end();
            ++calls_;
            rows_ += rows;
            return true;
        }
    } catch (wire_error const& problem) {
        why = std::string("the reply does not decode: ") + problem.what();
    } catch (std::bad_alloc const&) {
        why = "no memory for the request";
    }
    by->hang_up();
    {
        std::lock_guard const locked(own.connecting);
        own.next_try = clock::now() + retry_after;
    }
    state_ = server_state::unreachable;
    return fail(path_ + ": " + why, false);
}

bool remote::run_rows(std::string_view options, std::span<std::string const> rows, std::vector<std::string>& scored,
                      std::vector<std::string>& remarks) {
    std::vector<std::string_view> const sent(rows.begin(), rows.end());
    auto const put = [&](auto& to) {
        to.array(std::span(options));
        to.texts(sent);
    };
    return exchange_call(ask_rows, std::int64_t(rows.size()),
                         {.size =
                              [&] {
                                  measure size;
                                  put(size);
                                  return size.size();
                              },
                          .write =
                              [&](std::byte* at) {
                                  writer to(at);
                                  put(to);
                              },
                          .read =
                              [&](reader& from) {
                                  std::vector<std::string_view> const found = from.texts(), said = from.texts();
                                  if (found.size() != rows.size()) {
                                      throw wire_error("it has " + std::to_string(found.size()) + " rows");
                                  }
                                  scored.assign(found.begin(), found.end());
                                  remarks.assign(said.begin(), said.end());
                              }});
}

server_statistics remote::statistics() {
    lines& own = own_lines();
    std::lock_guard const locked(own.words);
    return {.state = state_,
            .path = path_,
            .calls = calls_,
            .rows = rows_,
            .small = small_,
            .fallbacks = fallbacks_,
            .refused = refused_,
            .reconnects = std::max<std::int64_t>(0, connects_ - 1),
            .last_reason = own.last_reason};
}

}  // namespace serve
}  // namespace optgap
