#include "tools/broker/clocks.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace optgap::broker {
namespace {

std::int64_t read_clock(clockid_t clock) {
    timespec at{};
    return clock_gettime(clock, &at) == 0 ? std::int64_t(at.tv_sec) * 1'000'000'000 + at.tv_nsec : 0;
}

constexpr std::size_t file_bytes = 512;

/// Reads the head of /proc/PID/`name` as a string; empty when it cannot be read.
void read_process_file(pid_t process, char const* name, char (&text)[file_bytes]) {
    char path[48];
    std::snprintf(path, sizeof path, "/proc/%d/%s", int(process), name);
    text[0] = 0;
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    ssize_t const got = read(file, text, file_bytes - 1);
    close(file);
    text[got > 0 ? got : 0] = 0;
}

}  // namespace

std::int64_t now_ns() { return read_clock(CLOCK_MONOTONIC); }

std::int64_t cpu_of(pid_t process) {
    // The result of clock_getcpuclockid. On some systems that call refuses processes of others, but the clock does not.
    return read_clock(clockid_t((~unsigned(process) << 3) | 2));
}

std::int64_t wait_of(pid_t process) {
    char text[file_bytes];
    read_process_file(process, "schedstat", text);
    long long ran = 0;
    long long waited = 0;
    return std::sscanf(text, "%lld %lld", &ran, &waited) == 2 ? waited : 0;
}

bool is_runnable(pid_t process) {
    char text[file_bytes];
    read_process_file(process, "stat", text);
    char const* const name_end = std::strrchr(text, ')');  // the name may contain anything
    return name_end != nullptr && std::strncmp(name_end, ") R", 3) == 0;
}

}  // namespace optgap::broker
