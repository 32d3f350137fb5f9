#pragma once
// Words as numbers: the first and the last eight bytes and the length of a word are all of it up to sixteen bytes, so
// that a table looks a word up without going through its bytes.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::chain {

struct word_key {
    std::uint64_t front = 0;
    std::uint64_t back = 0;
    std::uint64_t hash = 0;  ///< of all bytes
};

namespace word_keys {

inline std::uint64_t load(char const* at, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    return value;
}
inline std::uint64_t mixed(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}

}  // namespace word_keys

inline word_key key_of(std::string_view word) {
    using namespace word_keys;
    char const* const at = word.data();
    std::size_t const size = word.size();
    word_key key;
    if (size >= 8) {
        key.front = load(at, 8);
        key.back = load(at + size - 8, 8);
    } else if (size >= 4) {
        key.front = load(at, 4) | load(at + size - 4, 4) << 32;
    } else if (size > 0) {
        auto const byte = [&](std::size_t k) { return std::uint64_t(static_cast<unsigned char>(at[k])); };
        key.front = byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
    }
    key.hash = mixed(key.front ^ mixed(key.back + size * 0x9E3779B97F4A7C15u));
    for (std::size_t k = 8; k + 8 < size; k += 8) {
        key.hash = mixed(key.hash ^ load(at + k, 8));
    }
    return key;
}

/// A set of words that stays as it is.
class word_table {
public:
    word_table() = default;
    template <class Words>
    explicit word_table(Words const& words) : slots_(std::bit_ceil(2 * std::size(words) + 1)) {
        for (std::string_view const word : words) {
            word_key const key = key_of(word);
            slots_[place_of(word, key)] = {std::string(word), key.hash, true};
        }
    }
    [[nodiscard]] bool has(std::string_view word) const {
        return !slots_.empty() && slots_[place_of(word, key_of(word))].taken;
    }

private:
    struct slot {
        std::string word;
        std::uint64_t hash = 0;
        bool taken = false;
    };
    /// Where a word stands, or would.
    [[nodiscard]] std::size_t place_of(std::string_view word, word_key const& key) const {
        std::size_t const mask = slots_.size() - 1;
        std::size_t at = std::size_t(key.hash) & mask;
        while (slots_[at].taken && (slots_[at].hash != key.hash || slots_[at].word != word)) {
            at = (at + 1) & mask;
        }
        return at;
    }
    std::vector<slot> slots_;
};

/// Counts words of a text. Emptied in no time: one per thread.
class word_counter {
public:
    /// For at most so many words, which must stay where they are until the next begin.
    void begin(std::size_t most) {
        std::size_t const wanted = std::bit_ceil(std::max<std::size_t>(64, 2 * most));
        if (wanted > slots_.size()) {
            slots_.assign(wanted, {});
            epoch_ = 0;
        }
        mask_ = wanted - 1;
        different_ = 0;
        if (++epoch_ == 0) {
            std::fill(slots_.begin(), slots_.end(), slot{});
            epoch_ = 1;
        }
    }
    /// How often the word was given, this time with it.
    std::int64_t add(std::string_view word) {
        word_key const key = key_of(word);
        std::size_t at = std::size_t(key.hash) & mask_;
        while (slots_[at].epoch == epoch_ && !slots_[at].is(word, key)) {
            at = (at + 1) & mask_;
        }
        slot& mine = slots_[at];
        if (mine.epoch != epoch_) {
            mine = {word.data(), key.front, key.back, std::uint32_t(word.size()), epoch_, 0};
            ++different_;
        }
        return ++mine.count;
    }
    [[nodiscard]] std::int64_t different() const { return different_; }

private:
    struct slot {
        char const* data = nullptr;
        std::uint64_t front = 0, back = 0;
        std::uint32_t size = 0, epoch = 0;
        std::int64_t count = 0;
        [[nodiscard]] bool is(std::string_view word, word_key const& key) const {
            return front == key.front && back == key.back && size == word.size() &&
                   (size <= 16 || std::memcmp(data, word.data(), size) == 0);
        }
    };
    std::vector<slot> slots_;
    std::size_t mask_ = 0;
    std::uint32_t epoch_ = 0;
    std::int64_t different_ = 0;
};

}  // namespace optgap::chain
