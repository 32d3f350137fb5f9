#pragma once

#include <string>

namespace optgap::sqlite {

/// Ensures that one process writes a file. The lock is a file beside it, `PATH-writer`, that names the holder. It is a
/// lock of the kernel (flock), so that of a killed writer is free at once, and the file it leaves has no meaning.
class writer_lock {
public:
    /// Throws failure{busy} that names the holder's host, pid and start; failure{cannot_open} where the lock file
    /// cannot be made.
    explicit writer_lock(std::string const& path);
    ~writer_lock();
    writer_lock(writer_lock&& other) noexcept;
    writer_lock& operator=(writer_lock&&) = delete;

    /// "host NAME, pid N, since TIME" of the present writer; empty when there is none.
    [[nodiscard]] static std::string holder(std::string const& path);

private:
    std::string beside_;
    int fd_ = -1;
};

}  // namespace optgap::sqlite
