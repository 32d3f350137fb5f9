#include "host/rows/packages/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "optgap/status.hpp"

extern char** environ;

namespace optgap::rows {
namespace {

constexpr int their_descriptor = 3;
constexpr std::uint64_t max_answer = std::uint64_t(1) << 30;
using clock = std::chrono::steady_clock;

/// False once the time is over.
bool wait_for(int socket, short events, clock::time_point end) {
    for (;;) {
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
        pollfd one{socket, events, 0};
        int const ready = left <= 0 ? 0 : poll(&one, 1, int(std::min<long long>(left, 1 << 30)));
        if (ready != 0 && !(ready < 0 && errno == EINTR)) {
            return true;
        }
        if (left <= 0) {
            return false;
        }
    }
}

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) {
        return fmt::format("by signal {}", WTERMSIG(status));
    }
    return fmt::format("with exit status {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

}  // namespace

package_worker::package_worker(python_place const& at, std::string const& argument, std::string const& module) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        throw error(status::device_unavailable, fmt::format("no socket for a worker: {}", std::strerror(errno)));
    }
    std::string program = fmt::format("{}from optgap.{} import main; main(sys.argv[1])", python_own_path, module);
    std::string executable = at.executable, name = argument, command = "-c";
    char* const words[] = {executable.data(), command.data(), program.data(), name.data(), nullptr};
    std::string modules = "PYTHONPATH=" + at.modules;
    std::vector<char*> environment;
    for (char** one = environ; *one != nullptr; ++one) {
        if (at.modules.empty() || !std::string_view(*one).starts_with("PYTHONPATH=")) {
            environment.push_back(*one);
        }
    }
    if (!at.modules.empty()) {
        environment.push_back(modules.data());
    }
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);  // what the package prints is no row
    posix_spawn_file_actions_adddup2(&actions, pair[1], their_descriptor);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    int const failed = posix_spawnp(&process_, executable.c_str(), &actions, &attributes, words, environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(pair[1]);
    socket_ = pair[0];
    if (failed != 0) {
        close(socket_);
        throw error(status::device_unavailable,
                    fmt::format("{} does not start: {}", executable, std::strerror(failed)));
    }
    fcntl(socket_, F_SETFL, O_NONBLOCK);
}

package_worker::~package_worker() {
    close(socket_);
    if (!ended_) {
        kill_all();
        while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

void package_worker::kill_all() const { kill(-process_, SIGKILL); }

bool package_worker::alive() {
    if (!ended_ && waitpid(process_, &status_, WNOHANG) != 0) {
        ended_ = true;
    }
    return !ended_;
}

package_worker::answer package_worker::lost(std::string why, bool late) {
    // One that ends by itself closes its socket first, and its own status says more than that of a kill.
    for (int waited_ms = 0; !late && waited_ms < 200 && alive(); ++waited_ms) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!ended_) {
        kill_all();
        while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
        }
        ended_ = true;
    } else if (!late) {
        why = fmt::format("the worker ended {}", how_it_ended(status_));
    }
    return {.given = false, .late = late, .text = std::move(why)};
}

package_worker::answer package_worker::ask(std::string_view request, double seconds, std::stop_token const& stop) {
    std::stop_callback const killing(stop, [this] { kill_all(); });
    auto const end = clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000));
    std::string const late = fmt::format("the worker took longer than {:g} s", seconds);
    std::string sent;
    if (!request.empty()) {
        std::uint64_t const size = request.size();
        sent.assign(reinterpret_cast<char const*>(&size), sizeof size);
        sent += request;
    }
    for (std::size_t done = 0; done < sent.size();) {
        ssize_t const put = send(socket_, sent.data() + done, sent.size() - done, MSG_NOSIGNAL);
        if (put > 0) {
            done += std::size_t(put);
        } else if (put < 0 && errno == EAGAIN) {
            if (!wait_for(socket_, POLLOUT, end)) {
                return lost(late, true);
            }
        } else if (put == 0 || errno != EINTR) {
            return lost("the worker closed its socket");
        }
    }
    std::string got;
    std::size_t wanted = sizeof(std::uint64_t);
    bool has_size = false;
    char block[1 << 16];
    while (!has_size || got.size() < wanted) {
        ssize_t const more = recv(socket_, block, std::min(sizeof block, wanted - got.size()), 0);
        if (more > 0) {
            got.append(block, std::size_t(more));
        } else if (more < 0 && errno == EAGAIN) {
            if (!wait_for(socket_, POLLIN, end)) {
                return lost(late, true);
            }
        } else if (more == 0 || errno != EINTR) {
            return lost("the worker closed its socket");
        }
        if (!has_size && got.size() == wanted) {
            std::uint64_t size = 0;
            std::memcpy(&size, got.data(), sizeof size);
            if (size > max_answer) {
                return lost("the worker's answer is larger than 1 GiB", true);
            }
            has_size = true;
            wanted = std::size_t(size);
            got.clear();
        }
    }
    return {.given = true, .late = false, .text = std::move(got)};
}

}  // namespace optgap::rows
