#pragma once
// Gates compare integers of a text with the reference's own. Each gives a factor of 0 to 1024 (docs/rubrics.md#gates).

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/rubric/content/ready_text.hpp"

namespace optgap::rubrics {

/// A set of 64-bit hashes that is emptied in constant time: one object per thread.
class hash_set {
public:
    void clear(std::size_t most);
    /// Returns false where the hash was present already.
    bool insert(std::uint64_t hash);
    [[nodiscard]] bool contains(std::uint64_t hash) const;

private:
    struct slot {
        std::uint64_t hash = 0;
        std::uint32_t epoch = 0;
    };
    [[nodiscard]] std::size_t place_of(std::uint64_t hash) const;
    std::vector<slot> slots_;
    std::uint32_t epoch_ = 0;
    std::size_t mask_ = 0;
};

/// The lengths in words of the runs that the gates for repetition and for copying compare.
inline constexpr std::size_t repetition_words = 4, copy_words = 8;

/// Hashes a text's words. Words with equal folded bytes have equal hashes.
void hash_words(ready_text const& text, std::vector<std::uint64_t>& out);
/// Calls `take(hash)` for every run of `width` words.
template <class Take>
void each_shingle(std::span<std::uint64_t const> words, std::size_t width, Take take) {
    for (std::size_t i = 0; i + width <= words.size(); ++i) {
        std::uint64_t hash = 0;
        for (std::size_t k = 0; k < width; ++k) {
            hash = (hash ^ words[i + k]) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        take(hash);
    }
}

/// Different runs of four words, in thousandths of all; 1000 for fewer than four words.
std::int64_t distinct_share(std::span<std::uint64_t const> words, hash_set& scratch);
/// Runs of eight words that are in `known`, in thousandths of all.
std::int64_t copied_share(std::span<std::uint64_t const> words, hash_set const& known);
std::int64_t hidden_share(ready_text const& text);

/// clamp(1024 (high - value) / (high - low), 0, 1024), rounded down; low < high. Exact for any value.
std::int32_t falling(std::int64_t value, std::int64_t low, std::int64_t high);

/// In thousandths, except for lengths.
struct gate_limits {
    static constexpr std::int64_t repetition_slack = 250, repetition_end = 500;
    static constexpr std::int64_t copy_slack = 150, copy_end = 500;
    static constexpr std::int64_t hidden_slack = 2, hidden_end = 3;
    std::int64_t density = 0;           ///< the references' highest
    std::vector<std::int64_t> words;    ///< of each reference
    std::int64_t repetition = 1000;     ///< the references' lowest
    std::int64_t copy = 0, hidden = 0;  ///< the references' highest
};

std::int32_t density_factor(std::int64_t value, gate_limits const& limits);
/// Compares with the reference of the nearest length.
struct length_gate {
    std::int32_t factor = 0;
    std::int64_t own = 0;  ///< that reference's words
};
length_gate gate_of_length(std::int64_t words, gate_limits const& limits);
std::int32_t repetition_factor(std::int64_t value, gate_limits const& limits);
/// `own` is the references' highest share for the same prompt.
std::int32_t copy_factor(std::int64_t value, std::int64_t own);
std::int32_t hidden_factor(std::int64_t value, gate_limits const& limits);

}  // namespace optgap::rubrics
