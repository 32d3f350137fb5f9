#pragma once
// Requests and replies as flat arrays: a count of 64 bits, then the elements, each array at a multiple of 8 bytes. The
// same `encode` runs twice, over `measure` and over `writer`, so that a segment is grown before anything is written.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace optgap::serve {

/// Malformed bytes: a request is refused, a reply is discarded.
class wire_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// Counts the bytes of an encoding.
class measure {
public:
    template <class T>
    void array(std::span<T const> values) {
        size_ += sizeof(std::uint64_t) + padded(values.size_bytes());
    }
    template <class T>
    void one(T const&) {
        size_ += padded(sizeof(T));
    }
    void texts(std::span<std::string_view const> texts) {
        size_ += sizeof(std::uint64_t) * (texts.size() + 1);
        std::size_t bytes = 0;
        for (std::string_view const text : texts) {
            bytes += text.size();
        }
        size_ += padded(bytes);
    }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::size_t size_ = 0;
};

/// Writes what `measure` counted.
class writer {
public:
    explicit writer(std::byte* at) : at_(at) {}

    template <class T>
    void array(std::span<T const> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        one(std::uint64_t(values.size()));
        put(values.data(), values.size_bytes());
    }
    template <class T>
    void one(T const& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(&value, sizeof(T));
    }
    /// The count, the end of each text, then their bytes.
    void texts(std::span<std::string_view const> texts) {
        one(std::uint64_t(texts.size()));
        std::uint64_t end = 0;
        for (std::string_view const text : texts) {
            one(end += text.size());
        }
        for (std::string_view const text : texts) {
            copy(text.data(), text.size());
        }
        at_ += padded(end) - end;
    }

private:
    void copy(void const* from, std::size_t bytes) {
        if (bytes > 0) {
            std::memcpy(at_, from, bytes);
            at_ += bytes;
        }
    }
    void put(void const* from, std::size_t bytes) {
        copy(from, bytes);
        at_ += padded(bytes) - bytes;
    }
    std::byte* at_;
};

/// Reads bytes that another process wrote and may still be writing: whatever is used as a size or an index is copied
/// first and read once. Throws wire_error before it reads past the end, and allocates no more than the bytes hold.
class reader {
public:
    explicit reader(std::span<std::byte const> bytes) : rest_(bytes) {}

    template <class T>
    [[nodiscard]] std::vector<T> array() {
        static_assert(std::is_trivially_copyable_v<T>);
        auto const count = one<std::uint64_t>();
        if (count > rest_.size() / sizeof(T)) {
            throw wire_error("an array of " + std::to_string(count) + " elements runs past the end");
        }
        std::vector<T> values(static_cast<std::size_t>(count));
        take(values.data(), values.size() * sizeof(T));
        return values;
    }
    template <class T>
    [[nodiscard]] T one() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        take(&value, sizeof(T));
        return value;
    }
    /// Views into the bytes themselves.
    [[nodiscard]] std::vector<std::string_view> texts() {
        std::vector<std::uint64_t> const ends = array<std::uint64_t>();
        std::vector<std::string_view> found;
        found.reserve(ends.size());
        std::uint64_t begin = 0;
        for (std::uint64_t const end : ends) {
            if (end < begin || end > rest_.size()) {
                throw wire_error("a text ends at " + std::to_string(end) + ", outside of its segment");
            }
            found.emplace_back(reinterpret_cast<char const*>(rest_.data()) + begin, std::size_t(end - begin));
            begin = end;
        }
        skip(padded(std::size_t(begin)));
        return found;
    }
    [[nodiscard]] std::string text() {
        std::vector<char> const bytes = array<char>();
        return {bytes.begin(), bytes.end()};
    }
    void end() const {
        if (!rest_.empty()) {
            throw wire_error(std::to_string(rest_.size()) + " bytes too many");
        }
    }

private:
    void skip(std::size_t bytes) {
        if (bytes > rest_.size()) {
            throw wire_error("it ends too early");
        }
        rest_ = rest_.subspan(bytes);
    }
    void take(void* to, std::size_t bytes) {
        std::byte const* const from = rest_.data();
        skip(padded(bytes));
        if (bytes > 0) {
            std::memcpy(to, from, bytes);
        }
    }
    std::span<std::byte const> rest_;
};

}  // namespace optgap::serve
