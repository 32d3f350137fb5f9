#pragma once

#include <string>

namespace optgap::sqlite {

/// One process writes a file. The lock is a file beside it, `PATH-writer`, that says who holds it; it is the kernel's
/// (flock), so a killed writer's is free at once, and the file it leaves means nothing.
class writer_lock {
public:
    /// Throws failure{busy} that names the holder's host, pid and start; failure{cannot_open} where the lock file
    /// cannot be made.
    explicit writer_lock(std::string const& path);
    ~writer_lock();
    writer_lock(writer_lock&& other) noexcept;
    writer_lock& operator=(writer_lock&&) = delete;

    /// "host NAME, pid N, since TIME" of who writes the file now; empty when nobody does.
    [[nodiscard]] static std::string holder(std::string const& path);

private:
    std::string beside_;
    int fd_ = -1;
};

}  // namespace optgap::sqlite
