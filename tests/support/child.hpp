#pragma once
// Runs a part of a test in a forked child.

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "optgap/status.hpp"

#if defined(__SANITIZE_THREAD__)
#define OPTGAP_UNDER_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define OPTGAP_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OPTGAP_UNDER_TSAN 1
#elif __has_feature(address_sanitizer)
#define OPTGAP_UNDER_ASAN 1
#endif
#endif

namespace optgap::testing {

/// ThreadSanitizer cannot start threads in a forked child.
#ifdef OPTGAP_UNDER_TSAN
inline constexpr bool child_can_start_threads = false;
#else
inline constexpr bool child_can_start_threads = true;
#endif

/// Whether a child forked while threads of its parent ran can allocate. AddressSanitizer of g++ 12 and clang 14 does
/// not take its allocator's locks for a fork: a lock that another thread held stays locked in the child.
#ifdef OPTGAP_UNDER_ASAN
inline constexpr bool child_of_busy_parent_can_allocate = false;
#else
inline constexpr bool child_of_busy_parent_can_allocate = true;
#endif

/// Waits, at most a fifth of a second, until no other thread of this process has run for a while. Then none holds the
/// allocator's lock, not even one that was just started or is about to end.
inline void wait_until_others_sleep() {
    std::string const self = std::to_string(gettid());
    for (int quiet = 0, polls = 0; quiet < 10 && polls < 100; ++polls) {
        bool runs = false;
        for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream file(thread.path() / "stat");
            std::string text;
            std::getline(file, text);
            std::size_t const name_end = text.rfind(')');
            bool const sleeps = name_end != std::string::npos && text.compare(name_end, 3, ") S") == 0;
            runs |= thread.path().filename() != self && !sleeps && !text.empty();
        }
        quiet = runs ? 0 : quiet + 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

/// The exit code of a forked child that runs `body`: 0 when it returned, -1 when a signal ended it, 90 for an
/// exception.
template <class Body>
int exit_code_of_child(Body const& body) {
    if (!child_of_busy_parent_can_allocate) {
        wait_until_others_sleep();
    }
    pid_t const child = fork();
    if (child == 0) {
        alarm(120);  // a lock held by a parent's thread stays locked: turns a hang into a failure
        int code = 0;
        try {
            body();
        } catch (...) {
            code = 90;
        }
        _exit(code);
    }
    int result = 0;
    waitpid(child, &result, 0);
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

/// In a child: exits with code 1 unless the condition is true.
inline void child_expects(bool holds) {
    if (!holds) {
        _exit(1);
    }
}

/// Whether the call throws the error that tells a forked child what to do.
template <class Call>
bool refuses_as_forked(Call const& call) {
    try {
        call();
    } catch (error const& problem) {
        return problem.code() == status::device_unavailable &&
               std::string(problem.what()).find("forked") != std::string::npos;
    }
    return false;
}

}  // namespace optgap::testing
