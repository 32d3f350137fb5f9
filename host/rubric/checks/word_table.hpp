#pragma once
// Words as numbers. A word's length and first sixteen bytes identify it up to sixteen bytes, so that a table looks it
// up without a loop over its bytes and without a branch on its length.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/bytes.hpp"

namespace optgap::rubrics {

struct word_key {
    std::uint64_t front = 0;  ///< bytes 0 to 7, padded with zeros
    std::uint64_t back = 0;   ///< bytes 8 to 15
    std::uint64_t hash = 0;   ///< of all bytes
};

namespace word_keys {

inline std::uint64_t load(char const* at) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return value;
}
inline std::uint64_t mixed(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}
/// The first `size` bytes of a vector, at most 16; the others are zero.
inline bytes16 first_bytes(bytes16 value, std::size_t size) {
    constexpr bytes16 place = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return value & bytes16(place < static_cast<unsigned char>(size));
}

}  // namespace word_keys

/// `readable` is the number of bytes that may be read from the word's begin on, at least its own.
inline word_key key_of(std::string_view word, std::size_t readable) {
    using namespace word_keys;
    std::size_t const size = word.size();
    bytes16 value = {};
    if (readable >= 16) {
        value = first_bytes(load16(word.data()), std::min<std::size_t>(16, size));
    } else if (size > 0) {
        std::memcpy(&value, word.data(), size);
    }
    word_key key;
    std::memcpy(&key.front, &value, 8);
    std::memcpy(&key.back, reinterpret_cast<char const*>(&value) + 8, 8);
    key.hash = mixed(key.front * 0x9E3779B97F4A7C15u ^ (key.back + size) * 0xC2B2AE3D27D4EB4Fu);
    if (size > 16) {
        for (std::size_t k = 16; k + 8 < size; k += 8) {
            key.hash = mixed(key.hash ^ load(word.data() + k));
        }
        key.hash = mixed(key.hash ^ load(word.data() + size - 8));
    }
    return key;
}
inline word_key key_of(std::string_view word) { return key_of(word, word.size()); }

/// A word in a table: where its bytes are, and its key.
struct kept_word {
    char const* data = nullptr;
    word_key key;
    std::uint32_t size = 0;

    kept_word() = default;
    kept_word(std::string_view word, word_key const& of)
        : data(word.data()), key(of), size(std::uint32_t(word.size())) {}
    [[nodiscard]] std::string_view view() const { return {data, size}; }
    [[nodiscard]] bool is(std::string_view word, word_key const& of) const {
        return key.front == of.front && key.back == of.back && size == word.size() &&
               (size <= 16 || std::memcmp(data + 16, word.data() + 16, size - 16) == 0);
    }
};

/// An immutable set of words.
class word_table {
public:
    word_table() = default;
    word_table(word_table&&) = default;
    word_table& operator=(word_table&&) = default;
    template <class Words>
    explicit word_table(Words const& words) : slots_(std::bit_ceil(2 * std::size(words) + 1)) {
        std::size_t bytes = 0;
        for (std::string_view const word : words) {
            bytes += word.size();
        }
        bytes_.reserve(bytes);  // so that pointers into it stay valid
        for (std::string_view const word : words) {
            word_key const key = key_of(word);
            slot& mine = slots_[place_of(word, key)];
            if (!mine.taken) {
                std::size_t const begin = bytes_.size();
                bytes_.insert(bytes_.end(), word.begin(), word.end());
                mine = {kept_word({bytes_.data() + begin, word.size()}, key), true};
            }
        }
    }
    [[nodiscard]] bool has(std::string_view word) const { return has(word, key_of(word)); }
    [[nodiscard]] bool has(std::string_view word, word_key const& key) const {
        return !slots_.empty() && slots_[place_of(word, key)].taken;
    }

private:
    struct slot {
        kept_word word;
        bool taken = false;
    };
    /// The place where a word stands or would stand.
    [[nodiscard]] std::size_t place_of(std::string_view word, word_key const& key) const {
        std::size_t const mask = slots_.size() - 1;
        std::size_t at = std::size_t(key.hash) & mask;
        while (slots_[at].taken && !slots_[at].word.is(word, key)) {
            at = (at + 1) & mask;
        }
        return at;
    }
    std::vector<char> bytes_;
    std::vector<slot> slots_;
};

/// The different words of a text, numbered in the order of their occurrence. Buffers are reused from text to text: one
/// object per thread.
class different_words {
public:
    /// Clears the set. Words added later must stay in place until the next begin.
    void begin() {
        slots_.assign(1024, 0);
        words_.clear();
    }
    /// Returns the number of a word, and adds it when it is new.
    std::uint32_t number_of(std::string_view word, word_key const& key) {
        std::size_t const at = place_of(word, key);
        if (slots_[at] != 0) {
            return slots_[at] - 1;
        }
        words_.emplace_back(word, key);
        slots_[at] = std::uint32_t(words_.size());
        if (2 * words_.size() > slots_.size()) {
            grow();
        }
        return std::uint32_t(words_.size() - 1);
    }
    std::uint32_t number_of(std::string_view word) { return number_of(word, key_of(word)); }
    [[nodiscard]] std::size_t size() const { return words_.size(); }
    [[nodiscard]] kept_word const& operator[](std::size_t number) const { return words_[number]; }

private:
    [[nodiscard]] std::size_t place_of(std::string_view word, word_key const& key) const {
        std::size_t const mask = slots_.size() - 1;
        std::size_t at = std::size_t(key.hash) & mask;
        while (slots_[at] != 0 && !words_[slots_[at] - 1].is(word, key)) {
            at = (at + 1) & mask;
        }
        return at;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), 0);
        for (std::size_t number = 0; number < words_.size(); ++number) {
            kept_word const& one = words_[number];
            slots_[place_of(one.view(), one.key)] = std::uint32_t(number + 1);
        }
    }
    std::vector<std::uint32_t> slots_;  ///< a word's number plus 1
    std::vector<kept_word> words_;
};

}  // namespace optgap::rubrics
