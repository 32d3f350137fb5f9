#include "host/programs/served/daemon_line.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <new>

namespace optgap::programs {
namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
using serve::arrival;
using serve::refusal;

constexpr auto greeting_limit = 500ms;
constexpr auto look_at_pulse = 100ms;
constexpr auto max_silence = 2000ms;  ///< the same as for an engine's calls

}  // namespace

bool daemon_line::greet() {
    socket_ = serve::connect_to(path_, why_);
    if (!socket_) {
        return false;
    }
    uid_t const theirs = serve::peer_of(socket_).user;
    if (theirs != geteuid() && geteuid() != 0) {
        why_ = path_ + " belongs to user " + std::to_string(theirs) + ", not to this one";
        return false;
    }
    serve::hello const opening{.build = build_};
    serve::welcome terms;
    serve::descriptor page;
    static_cast<void>(serve::send(socket_, &opening, sizeof opening));
    arrival const came = serve::receive(socket_, &terms, sizeof terms, page, greeting_limit);
    if (came != arrival::whole || terms.mark != serve::magic) {
        why_ = path_ + ": no answer to the greeting";
        return false;
    }
    if (terms.refused != refusal::none || terms.version != serve::protocol_version) {
        why_ = path_ + ": refused: " + std::string(terms.reason.view());
        return false;
    }
    page_ = serve::segment::open(page, std::size_t(1) << 20, why_);
    return page_.data() != nullptr;
}

exchange_end daemon_line::exchange(verb what, std::size_t size, std::function<void(std::byte*)> const& write,
                                   std::stop_token const& stop) {
    if (stop.stop_requested()) {
        return exchange_end::stopped;
    }
    if (!greet()) {
        return exchange_end::lost;
    }
    serve::descriptor fresh;
    try {
        out_ = serve::segment::create(size, fresh, false);
    } catch (std::bad_alloc const&) {
        why_ = "no memory for the request";
        return exchange_end::lost;
    }
    write(out_.data());
    serve::request const message{.what = what, .number = 1, .size = size};
    if (!serve::send(socket_, &message, sizeof message, fresh.get())) {
        why_ = path_ + ": the connection is lost";
        return exchange_end::lost;
    }
    std::stop_callback const hang_up(stop, [this] { ::shutdown(socket_.get(), SHUT_RDWR); });
    auto const beat = [this] {
        return reinterpret_cast<serve::status_page const*>(page_.data())->beat.load(std::memory_order_relaxed);
    };
    std::uint64_t seen = beat();
    clock::time_point moved = clock::now();
    serve::reply answer;
    serve::descriptor attached;
    for (;;) {
        arrival const came = serve::receive(socket_, &answer, sizeof answer, attached, look_at_pulse);
        if (stop.stop_requested()) {
            return exchange_end::stopped;
        }
        if (came == arrival::whole && answer.mark == serve::magic && answer.number == message.number) {
            break;
        }
        if (came != arrival::nothing) {
            why_ = path_ + ": the connection is lost";
            return exchange_end::lost;
        }
        if (beat() != seen) {
            seen = beat();
            moved = clock::now();
        } else if (clock::now() - moved > max_silence) {
            why_ = path_ + ": no pulse: the daemon hangs or was stopped";
            return exchange_end::lost;
        }
    }
    if (answer.refused != refusal::none) {
        why_ = path_ + ": refused: " + std::string(answer.reason.view());
        return exchange_end::refused;
    }
    if (attached) {
        in_ = serve::segment::open(attached, std::size_t(answer.segment), why_);
    }
    if (in_.data() == nullptr || answer.size > in_.size()) {
        why_ = path_ + ": the reply lies outside of its segment";
        return exchange_end::lost;
    }
    replied_ = std::size_t(answer.size);
    return exchange_end::served;
}

}  // namespace optgap::programs
