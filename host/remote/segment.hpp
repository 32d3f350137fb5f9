#pragma once
// Shared memory between two processes: a memfd whose creator sealed it against shrinking, so that a process that maps
// it cannot be killed by SIGBUS.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace optgap::serve {

/// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int fd = -1) : fd_(fd) {}
    ~descriptor() { reset(); }
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        if (this != &other) {
            reset(std::exchange(other.fd_, -1));
        }
        return *this;
    }
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
    void reset(int fd = -1);

private:
    int fd_;
};

class segment {
public:
    segment() = default;
    ~segment() { unmap(); }
    segment(segment&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    segment& operator=(segment&& other) noexcept {
        if (this != &other) {
            unmap();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
        }
        return *this;
    }

    /// Fresh memory of at least `bytes`, mapped here for writing; the descriptor is for the other process. With
    /// `read_only` no other process can map it for writing. Throws std::bad_alloc.
    static segment create(std::size_t bytes, descriptor& out, bool read_only);
    /// Another process's memory, mapped for reading. Empty with a sentence in `why` unless it is a memfd of at most
    /// `most` bytes that cannot shrink.
    static segment open(descriptor const& from, std::size_t most, std::string& why);

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<std::byte const> first(std::size_t bytes) const { return {data_, bytes}; }

private:
    segment(std::byte* data, std::size_t size) : data_(data), size_(size) {}
    void unmap();

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace optgap::serve
