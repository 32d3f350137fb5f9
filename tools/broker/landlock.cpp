#include "tools/broker/landlock.hpp"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace optgap::broker {
namespace {

// The kernel's interface (include/uapi/linux/landlock.h); the numbers of the calls are the same on all architectures.
constexpr long call_create = 444;
constexpr long call_add = 445;
constexpr long call_restrict = 446;

struct ruleset_words {
    std::uint64_t files = 0;
    std::uint64_t network = 0;  // ABI 4
    std::uint64_t scoped = 0;   // ABI 6
};

struct __attribute__((packed)) beneath_words {
    std::uint64_t allowed;
    std::int32_t parent;
};

constexpr std::uint64_t execute = 1u << 0;
constexpr std::uint64_t write_file = 1u << 1;
constexpr std::uint64_t read_file = 1u << 2;
constexpr std::uint64_t read_folder = 1u << 3;
constexpr std::uint64_t remove_folder = 1u << 4;
constexpr std::uint64_t remove_file = 1u << 5;
constexpr std::uint64_t make_folder = 1u << 7;
constexpr std::uint64_t make_file = 1u << 8;
constexpr std::uint64_t truncate = 1u << 14;

/// All file rights of an ABI version: 13 bits in the first, then refer, truncate and ioctl.
std::uint64_t all_file_rights(int abi) {
    std::uint64_t bits = (1u << 13) - 1;
    bits |= abi >= 2 ? 1u << 13 : 0;
    bits |= abi >= 3 ? truncate : 0;
    bits |= abi >= 5 ? 1u << 15 : 0;
    return bits;
}

bool allow(int ruleset, std::string const& path, std::uint64_t rights) {
    int const opened = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (opened < 0) {
        return errno == ENOENT;
    }
    struct stat found {};
    fstat(opened, &found);
    if (!S_ISDIR(found.st_mode)) {
        rights &= execute | read_file | write_file | truncate;
    }
    beneath_words const words{rights, opened};
    bool const done = syscall(call_add, ruleset, 1, &words, 0) == 0;
    int const problem = errno;
    close(opened);
    errno = problem;
    return done;
}

}  // namespace

int landlock_version() {
    long const version = syscall(call_create, nullptr, 0, 1);
    return version > 0 ? int(version) : 0;
}

int make_ruleset(file_rights const& rights) {
    int const abi = landlock_version();
    if (abi == 0) {
        errno = ENOSYS;
        return -1;
    }
    ruleset_words words;
    words.files = all_file_rights(abi);
    words.network = abi >= 4 ? 3 : 0;
    words.scoped = abi >= 6 && rights.closed_ipc ? 3 : 0;
    std::size_t const size = abi >= 6 ? sizeof words : abi >= 4 ? 16 : 8;
    int const ruleset = int(syscall(call_create, &words, size, 0));
    if (ruleset < 0) {
        return -1;
    }
    bool good = true;
    for (std::string const& path : rights.reads) {
        std::uint64_t const writes =
            path == "/dev/null" ? words.files & (write_file | truncate) : 0;  // it keeps nothing
        good = good && allow(ruleset, path, read_file | read_folder | writes);
    }
    for (std::string const& path : rights.executes) {
        good = good && allow(ruleset, path, execute | read_file);
    }
    if (!rights.writes.empty()) {
        good = good && allow(ruleset, rights.writes,
                             words.files & (read_file | read_folder | write_file | remove_folder | remove_file |
                                            make_folder | make_file | truncate));
    }
    if (!good) {
        int const problem = errno;
        close(ruleset);
        errno = problem;
        return -1;
    }
    return ruleset;
}

bool enforce_ruleset(int ruleset) { return syscall(call_restrict, ruleset, 0) == 0; }

}  // namespace optgap::broker
