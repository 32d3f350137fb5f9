#pragma once
// Finds the few places of a long text where a marker can start. A candidate is a position whose byte and next byte
// match one of at most four pairs; the caller compares the rest. Single bytes would not suffice,
// since prose and hostile texts are full of '<' that start nothing.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace optgap::text {

/// Two adjacent bytes with don't-care bits: matches s[i], s[i + 1] when (s[i] & keep_first) == first and (s[i + 1] &
/// keep_second) == second.
struct byte_pair {
    std::uint8_t keep_first = 0xFF;
    std::uint8_t first = 0;
    std::uint8_t keep_second = 0xFF;
    std::uint8_t second = 0;
    friend constexpr bool operator==(byte_pair const&, byte_pair const&) = default;
};

inline constexpr std::uint8_t any_case = 0xDF;  ///< keep-mask under which an ASCII letter equals its capital

struct pair_filter {
    std::array<byte_pair, 4> pairs{};
    int count = 0;

    /// Returns false when the pair is new and there is no room for it.
    constexpr bool add(byte_pair pair) {
        for (int k = 0; k < count; ++k) {
            if (pairs[std::size_t(k)] == pair) {
                return true;
            }
        }
        if (count == int(pairs.size())) {
            return false;
        }
        pairs[std::size_t(count++)] = pair;
        return true;
    }
};

inline constexpr std::size_t block_bytes = 64;

/// The kernels of one instruction set. Both read block_bytes * blocks + 1 bytes. They return the index of the first or
/// last block that holds a candidate and its bit mask (bit j: position j of the block), or `blocks` and 0.
struct byte_search {
    using kernel = std::size_t (*)(char const* data, std::size_t blocks, pair_filter const& filter,
                                   std::uint64_t& mask);
    char const* name;
    bool (*supported)();
    kernel first;
    kernel last;
};

/// The instruction sets that this machine supports, best first; the last one is plain C++.
std::span<byte_search const> byte_searches();

/// The one in use, chosen once from the CPU's features.
byte_search const& best_byte_search();

inline constexpr std::size_t no_position = std::size_t(-1);

/// Candidates from left to right. Cost: one pass over the text plus a constant per candidate.
class forward_candidates {
public:
    forward_candidates(std::string_view text, pair_filter const& filter, byte_search const& search = best_byte_search())
        : text_(text), filter_(filter), search_(search) {}

    /// The next candidate's position, no_position at the end.
    std::size_t next() {
        while (mask_ == 0) {
            if (unread_ >= text_.size()) {
                return no_position;
            }
            advance();
        }
        std::size_t const position = base_ + std::size_t(std::countr_zero(mask_));
        mask_ &= mask_ - 1;
        return position;
    }

private:
    void advance();

    std::string_view text_;
    pair_filter const& filter_;
    byte_search const& search_;
    std::size_t base_ = 0;    // begin of the block that mask_ describes
    std::size_t unread_ = 0;  // first position not yet examined
    std::uint64_t mask_ = 0;
};

/// Candidates from right to left.
class backward_candidates {
public:
    backward_candidates(std::string_view text, pair_filter const& filter,
                        byte_search const& search = best_byte_search())
        : text_(text), filter_(filter), search_(search), unread_(text.size()) {}

    std::size_t next() {
        while (mask_ == 0) {
            if (unread_ == 0) {
                return no_position;
            }
            advance();
        }
        std::size_t const bit = std::size_t(63 - std::countl_zero(mask_));
        mask_ &= ~(std::uint64_t(1) << bit);
        return base_ + bit;
    }

private:
    void advance();

    std::string_view text_;
    pair_filter const& filter_;
    byte_search const& search_;
    std::size_t base_ = 0;
    std::size_t unread_ = 0;  // positions before it are not yet examined
    std::uint64_t mask_ = 0;
};

}  // namespace optgap::text
