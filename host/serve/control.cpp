// The questions of a program to a running daemon.

#include <chrono>
#include <thread>

#include "host/remote/messages.hpp"
#include "host/remote/socket.hpp"
#include "optgap/server.hpp"

namespace optgap {

namespace {

using namespace serve;
using namespace std::chrono_literals;

constexpr auto answer_limit = 5s;

[[noreturn]] void no_answer(std::string const& why) { throw error(status::device_unavailable, "server: " + why); }

/// Asks one question; the answer's text.
std::string ask(std::string const& path, verb what, descriptor& socket) {
    std::string why;
    socket = connect_to(path, why);
    if (!socket) {
        no_answer("none answers: " + why);
    }
    hello const opening{.control = 1};
    welcome greeting;
    descriptor attached;
    static_cast<void>(send(socket, &opening, sizeof opening));  // refused at the door, it can still be read why
    if (receive(socket, &greeting, sizeof greeting, attached, answer_limit) != arrival::whole ||
        greeting.mark != magic) {
        no_answer(path + ": the daemon does not answer");
    }
    if (greeting.refused != refusal::none) {
        no_answer(path + ": " + std::string(greeting.reason.view()));
    }
    request const question{.what = what};
    reply answer;
    if (!send(socket, &question, sizeof question) ||
        receive(socket, &answer, sizeof answer, attached, answer_limit) != arrival::whole ||
        answer.refused != refusal::none) {
        no_answer(path + ": the daemon does not answer");
    }
    if (answer.size == 0) {
        return {};
    }
    segment const text = segment::open(attached, std::size_t(answer.segment), why);
    if (text.data() == nullptr || answer.size > text.size()) {
        no_answer(path + ": " + why);
    }
    return {reinterpret_cast<char const*>(text.data()), std::size_t(answer.size)};
}

}  // namespace

std::string daemon_statistics(std::string const& path) {
    descriptor socket;
    return ask(path.empty() ? default_path() : path, ask_status, socket);
}

bool stop_daemon(std::string const& path, double patience_seconds) {
    descriptor socket;
    static_cast<void>(ask(path.empty() ? default_path() : path, ask_stop, socket));
    auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_seconds);
    while (std::chrono::steady_clock::now() < end) {
        char unused = 0;
        descriptor attached;
        // The daemon's end of the connection goes with its process.
        if (receive(socket, &unused, sizeof unused, attached, 100ms) == arrival::ended) {
            return true;
        }
    }
    return false;
}

}  // namespace optgap
