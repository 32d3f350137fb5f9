#include "tools/broker/held/hold.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/broker/child.hpp"
#include "tools/broker/landlock.hpp"
#include "tools/broker/plans.hpp"

namespace optgap::broker {
namespace {

constexpr std::uint64_t max_files = 256;
constexpr std::uint64_t max_written = 256u << 20;  ///< bytes per file; in namespaces, of all files

struct worker {
    std::vector<std::string> reads, executes;
    std::string bubblewrap, writes;
    std::uint64_t memory_mb = 0;
    int keep = -1;
    char** command = nullptr;
};

[[noreturn]] void fail(char const* step) {
    throw std::runtime_error(std::string("hold: ") + step + ": " + std::strerror(errno));
}

std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t most) {
    std::uint64_t value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || value > most) {
        throw std::runtime_error("hold: " + std::string(name) + " is no number up to " + std::to_string(most));
    }
    return value;
}

worker read_worker(int count, char** words) {
    worker out;
    for (int k = 0; k < count; ++k) {
        std::string_view const word = words[k];
        if (word == "--") {
            out.command = k + 1 < count ? words + k + 1 : nullptr;
            break;
        }
        std::string_view const name = word.substr(0, word.find('='));
        std::string_view const value = word.substr(std::min(word.size(), name.size() + 1));
        if (name == "read") {
            out.reads.emplace_back(value);
        } else if (name == "execute") {
            out.executes.emplace_back(value);
        } else if (name == "write") {
            out.writes = value;
        } else if (name == "keep") {
            out.keep = int(number(name, value, 1 << 20));
        } else if (name == "memory_mb") {
            out.memory_mb = number(name, value, 1 << 20);
        } else if (name == "bubblewrap") {
            out.bubblewrap = value;
        } else {
            throw std::runtime_error("hold: unknown setting " + std::string(name));
        }
    }
    if (out.command == nullptr || out.keep < 3 || out.memory_mb == 0) {
        throw std::runtime_error("hold: needs keep, memory_mb, and a command behind --");
    }
    return out;
}

bool lies_in(std::string const& path, std::string const& folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The paths to read and execute, without those inside another listed folder: bubblewrap cannot mount on a link.
std::vector<std::string> visible_to(worker const& one) {
    std::vector<std::string> all = one.reads;
    all.insert(all.end(), one.executes.begin(), one.executes.end());
    std::vector<std::string> out;
    for (std::string const& path : all) {
        if (std::ranges::none_of(all, [&](std::string const& other) { return lies_in(path, other); })) {
            out.push_back(path);
        }
    }
    return out;
}

/// Executes this program again, in namespaces and without the option `bubblewrap`.
[[noreturn]] void enter(worker const& one, int count, char** words) {
    std::string const self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::vector<std::string> folder;
    if (!one.writes.empty()) {
        folder = {"--size", std::to_string(max_written), "--tmpfs", one.writes};
    }
    command_words command = namespace_words(one.bubblewrap, self, visible_to(one), folder);
    command.texts.push_back("hold");
    for (int k = 0; k < count; ++k) {
        if (words + k >= one.command || !std::string_view(words[k]).starts_with("bubblewrap=")) {
            command.texts.emplace_back(words[k]);
        }
    }
    execve(one.bubblewrap.c_str(), command.get(), environ);
    fail("bubblewrap");
}

bool close_others(int kept) {
    return (kept == 3 || syscall(SYS_close_range, 3, kept - 1, 0) == 0) &&
           syscall(SYS_close_range, kept + 1, ~0u, 0) == 0;  // Linux 5.9, older than any Landlock
}

}  // namespace

void hold(int count, char** words) {
    worker const one = read_worker(count, words);
    if (!one.bubblewrap.empty()) {
        enter(one, count, words);
    }
    filter calls = filter::of_worker();
    if (!close_others(one.keep)) {
        fail("descriptors");
    }
    volunteer();
    std::uint64_t const memory = one.memory_mb << 20;
    if (!limit(RLIMIT_AS, memory) || !limit(RLIMIT_CORE, 0) || !limit(RLIMIT_MEMLOCK, 0) ||
        !limit(RLIMIT_MSGQUEUE, 0) || !limit(RLIMIT_FSIZE, max_written) || !limit(RLIMIT_NOFILE, max_files)) {
        fail("limits");
    }
    int const ruleset = make_ruleset({.reads = one.reads, .executes = one.executes, .writes = one.writes});
    if (ruleset < 0) {
        fail("landlock");
    }
    if (!drop_capabilities()) {
        fail("capabilities");
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        fail("no new privileges");
    }
    if (!enforce_ruleset(ruleset)) {
        fail("landlock");
    }
    close(ruleset);
    forget_signals();
    if (!calls.install(std::int32_t(getpid()))) {
        fail("seccomp");
    }
    execve(one.command[0], one.command, environ);
    fail("execute");
}

}  // namespace optgap::broker
