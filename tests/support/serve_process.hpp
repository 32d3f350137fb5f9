#pragma once
// A daemon or a client in a process of its own: this program again, with only one of the tests below. It is not a fork,
// since a sanitizer's child cannot start threads.

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "optgap/server.hpp"
#include "tests/support/task_cases.hpp"

extern char** environ;

namespace optgap::testing {

/// Runs the test `name` of this program, with `settings` added to the environment. A share of the tests that this
/// process was given (GoogleTest's shards) is not the child's.
class test_process {
public:
    test_process(std::string const& name, std::vector<std::string> const& settings) {
        std::string const filter = "--gtest_filter=" + name;
        std::vector<std::string> variables;
        for (char** one = environ; *one != nullptr; ++one) {
            std::string variable = *one;
            if (!variable.starts_with("GTEST_TOTAL_SHARDS=") && !variable.starts_with("GTEST_SHARD_INDEX=")) {
                variables.push_back(std::move(variable));
            }
        }
        variables.insert(variables.end(), settings.begin(), settings.end());
        std::vector<char*> environment;
        for (std::string& word : variables) {
            environment.push_back(word.data());
        }
        environment.push_back(nullptr);
        char program[] = "/proc/self/exe";
        std::vector<char> own(4096);
        ssize_t const size = readlink(program, own.data(), own.size() - 1);
        EXPECT_GT(size, 0);
        std::string option = filter, disabled = "--gtest_also_run_disabled_tests", brief = "--gtest_brief=1";
        char* const arguments[] = {own.data(), option.data(), disabled.data(), brief.data(), nullptr};
        EXPECT_EQ(posix_spawn(&process_, own.data(), nullptr, nullptr, arguments, environment.data()), 0);
    }
    ~test_process() {
        if (process_ > 0) {
            signal(SIGKILL);
            static_cast<void>(wait());
        }
    }
    test_process(test_process&& other) noexcept : process_(std::exchange(other.process_, -1)) {}
    test_process& operator=(test_process&&) = delete;

    void signal(int which) const { ::kill(process_, which); }
    /// Returns when all its threads are stopped.
    void stop() const {
        int state = 0;
        signal(SIGSTOP);
        EXPECT_EQ(waitpid(process_, &state, WUNTRACED), process_);
        EXPECT_TRUE(WIFSTOPPED(state));
    }
    /// The exit code; 1000 plus the signal's number when one ended it.
    int wait() {
        int state = 0;
        EXPECT_EQ(waitpid(process_, &state, 0), process_);
        process_ = -1;
        return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
    }
    [[nodiscard]] pid_t id() const { return process_; }

private:
    pid_t process_ = -1;
};

/// A folder for a socket, removed with the test.
class socket_folder {
public:
    socket_folder() {
        char name[] = "/tmp/optgap-test-XXXXXX";
        folder_ = mkdtemp(name);
    }
    ~socket_folder() {
        for (char const* const file : {"/s", "/s.lock", "/optgap/serve.sock", "/optgap/serve.sock.lock"}) {
            unlink((folder_ + file).c_str());
        }
        rmdir((folder_ + "/optgap").c_str());
        rmdir(folder_.c_str());
    }
    socket_folder(socket_folder const&) = delete;
    socket_folder& operator=(socket_folder const&) = delete;
    [[nodiscard]] std::string path() const { return folder_ + "/s"; }
    [[nodiscard]] std::string const& name() const { return folder_; }

private:
    std::string folder_;
};

/// A daemon on a thread of the test.
class own_server {
public:
    explicit own_server(server_options const& options) : server_(options), thread_([this] { server_.run(); }) {}
    ~own_server() {
        server_.stop();
        thread_.join();
    }
    own_server(own_server const&) = delete;
    own_server& operator=(own_server const&) = delete;
    [[nodiscard]] server& operator*() { return server_; }
    [[nodiscard]] server* operator->() { return &server_; }

private:
    server server_;
    std::thread thread_;
};

inline server_options cpu_server(std::string path) {
    return {
        .path = std::move(path), .engine = {.where = device::cpu, .threads = 2}, .connections = 64, .take_all = true};
}
inline engine client_of(std::string path) {
    return engine({.where = device::cpu, .threads = 1, .server = std::move(path)});
}

/// A daemon in a process of its own, ready when this returns.
class daemon_process {
public:
    explicit daemon_process(std::string const& path)
        : process_("serve_child.DISABLED_daemon", {"OPTGAP_TEST_SOCKET=" + path}) {
        for (int k = 0; k < 3000; ++k) {
            try {
                static_cast<void>(daemon_statistics(path));
                return;
            } catch (error const&) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        }
        ADD_FAILURE() << "no daemon at " << path;
    }
    test_process& process() { return process_; }

private:
    test_process process_;
};

/// Waits until `holds` returns true, at most `seconds`.
template <class Holds>
bool eventually(Holds const& holds, int seconds = 20) {
    for (int k = 0; k < seconds * 100; ++k) {
        if (holds()) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return holds();
}

}  // namespace optgap::testing
