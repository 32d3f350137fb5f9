#pragma once
// Counts the different trigrams of a text, and how many of them another text has.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "host/rubric/unicode.hpp"

namespace optgap::rubrics {

/// A set of runs of three code points, as a hash table with open addressing.
class trigram_set {
public:
    explicit trigram_set(std::string_view text) : places_(std::bit_ceil(2 * text.size() + 2), 0) {
        std::uint64_t last = 0;
        std::size_t points = 0;
        for (std::size_t at = 0; at < text.size(); ++points) {
            decoded const one = decode(text, at);
            last = (last << 21 | std::uint64_t(one.point)) & ((std::uint64_t(1) << 63) - 1);
            // No number is 0, which marks a free place.
            if (std::uint64_t& place = places_[place_of(last + 1)]; points >= 2 && place == 0) {
                place = last + 1;
                ++count_;
            }
            at += one.size;
        }
    }

    std::int64_t count() const { return count_; }
    std::int64_t shared(trigram_set const& other) const {
        return std::count_if(places_.begin(), places_.end(),
                             [&](std::uint64_t one) { return one != 0 && other.places_[other.place_of(one)] == one; });
    }

private:
    /// The place where a number stands or would stand.
    std::size_t place_of(std::uint64_t number) const {
        std::size_t const mask = places_.size() - 1;
        std::size_t at = std::size_t(number * 0x9E3779B97F4A7C15u >> 20) & mask;
        while (places_[at] != 0 && places_[at] != number) {
            at = (at + 1) & mask;
        }
        return at;
    }

    std::vector<std::uint64_t> places_;
    std::int64_t count_ = 0;
};

/// The same for ASCII, where a trigram is a number of 21 bits. It uses a bit for each, and a list of the different ones
/// to clear the bits afterwards. The loops contain no other branch.
class ascii_trigrams {
public:
    /// Returns the number of different trigrams, and how many of them the other text has.
    std::pair<std::int64_t, std::int64_t> compare(std::string_view text, std::string_view other) {
        own_.resize((std::size_t(1) << 21) / 64);
        other_.resize(own_.size());
        different_.resize(text.size() + 1);
        std::size_t count = 0;
        each(text, [&](std::uint32_t number) {
            std::uint64_t& word = own_[number / 64];
            different_[count] = number;
            count += ~word >> (number % 64) & 1;
            word |= std::uint64_t(1) << (number % 64);
        });
        each(other, [&](std::uint32_t number) { other_[number / 64] |= std::uint64_t(1) << (number % 64); });
        std::uint64_t shared = 0;
        for (std::size_t k = 0; k < count; ++k) {
            std::uint32_t const number = different_[k];
            shared += other_[number / 64] >> (number % 64) & 1;
            own_[number / 64] = 0;
        }
        each(other, [&](std::uint32_t number) { other_[number / 64] = 0; });
        return {std::int64_t(count), std::int64_t(shared)};
    }

private:
    template <class Run>
    void each(std::string_view text, Run run) {
        // Computes each number from its three bytes. A sum carried from one to the next would be the bottleneck.
        auto const byte = [&](std::size_t at) { return std::uint32_t(static_cast<unsigned char>(text[at])); };
        for (std::size_t at = 2; at < text.size(); ++at) {
            run(byte(at - 2) << 14 | byte(at - 1) << 7 | byte(at));
        }
    }
    std::vector<std::uint64_t> own_, other_;  ///< 256 KiB each per thread; a text touches only its own part
    std::vector<std::uint32_t> different_;
};

}  // namespace optgap::rubrics
