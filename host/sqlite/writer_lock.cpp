#include "host/sqlite/writer_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "host/sqlite/sqlite.hpp"

namespace optgap::sqlite {
namespace {

std::string text_of(int fd) {
    std::array<char, 400> text{};
    ssize_t const size = pread(fd, text.data(), text.size(), 0);
    std::string said(text.data(), size > 0 ? std::size_t(size) : 0);
    while (!said.empty() && said.back() == '\n') {
        said.pop_back();
    }
    return said.empty() ? "someone who has not said who" : said;
}

std::string own_name() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::time_t const now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> since{};
    std::strftime(since.data(), since.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return fmt::format("host {}, pid {}, since {}\n", host.data(), getpid(), since.data());
}

}  // namespace

writer_lock::writer_lock(std::string const& path) : beside_(path + "-writer") {
    // Another writer may end, and remove its lock file, between the open and the lock here: then there is a new file to
    // lock.
    for (;;) {
        fd_ = open(beside_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd_ < 0) {
            throw failure(problem::cannot_open, path,
                          fmt::format("cannot be written: {}: {}; expected a folder that may be written", beside_,
                                      std::strerror(errno)));
        }
        // A query for the holder also locks for a moment.
        int tries = 20;
        while (flock(fd_, LOCK_EX | LOCK_NB) != 0 && --tries > 0) {
            if (errno != EWOULDBLOCK && errno != EINTR) {
                std::string const why = std::strerror(errno);
                close(std::exchange(fd_, -1));
                throw failure(
                    problem::cannot_open, path,
                    fmt::format("cannot be written: {} cannot be locked: {}; expected a file system with flock",
                                beside_, why));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        if (tries == 0) {
            std::string const holder = text_of(fd_);
            close(std::exchange(fd_, -1));
            throw failure(problem::busy, path,
                          fmt::format("is being written by {}; expected one writer a file", holder));
        }
        struct stat locked {
        }, named{};
        if (fstat(fd_, &locked) == 0 && stat(beside_.c_str(), &named) == 0 && locked.st_ino == named.st_ino) {
            break;
        }
        close(std::exchange(fd_, -1));
    }
    std::string const name = own_name();
    // A full disk does not prevent locking: the holder's name is optional.
    static_cast<void>(ftruncate(fd_, 0) == 0 && pwrite(fd_, name.data(), name.size(), 0) > 0);
}

writer_lock::~writer_lock() {
    if (fd_ >= 0) {
        unlink(beside_.c_str());
        close(fd_);
    }
}

writer_lock::writer_lock(writer_lock&& other) noexcept
    : beside_(std::move(other.beside_)), fd_(std::exchange(other.fd_, -1)) {}

std::string writer_lock::holder(std::string const& path) {
    int const fd = open((path + "-writer").c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return {};
    }
    bool const free = flock(fd, LOCK_SH | LOCK_NB) == 0;
    std::string holder = free ? std::string() : text_of(fd);
    close(fd);
    return holder;
}

}  // namespace optgap::sqlite
