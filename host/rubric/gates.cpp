#include "host/rubric/gates.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "optgap/rubrics/rubric.hpp"

namespace optgap::rubrics {
namespace {

std::uint64_t mixed(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}

/// Eight zero bytes follow a ready text, so the last load stays inside of its memory.
std::uint64_t word_hash(char const* bytes, std::size_t size) {
    std::uint64_t hash = size * 0x9E3779B97F4A7C15u;
    for (; size > 8; size -= 8, bytes += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes, 8);
        hash = mixed(hash ^ eight);
    }
    std::uint64_t last;
    std::memcpy(&last, bytes, 8);
    last = size == 8 ? last : last & ((std::uint64_t(1) << (size * 8)) - 1);
    return mixed(hash ^ last);
}

}  // namespace

void hash_set::clear(std::size_t most) {
    std::size_t const wanted = std::bit_ceil(std::max<std::size_t>(64, most * 2));
    if (wanted > slots_.size()) {
        slots_.assign(wanted, {});
        epoch_ = 0;
    }
    mask_ = wanted - 1;
    if (++epoch_ == 0) {
        std::fill(slots_.begin(), slots_.end(), slot{});
        epoch_ = 1;
    }
}

std::size_t hash_set::place_of(std::uint64_t hash) const {
    std::size_t at = std::size_t(hash * 0x9E3779B97F4A7C15u >> 20) & mask_;
    while (slots_[at].epoch == epoch_ && slots_[at].hash != hash) {
        at = (at + 1) & mask_;
    }
    return at;
}

bool hash_set::insert(std::uint64_t hash) {
    slot& mine = slots_[place_of(hash)];
    if (mine.epoch == epoch_) {
        return false;
    }
    mine = {hash, epoch_};
    return true;
}

bool hash_set::contains(std::uint64_t hash) const { return !slots_.empty() && slots_[place_of(hash)].epoch == epoch_; }

void hash_words(ready_text const& text, std::vector<std::uint64_t>& out) {
    out.clear();
    each_word(text, [&](std::size_t begin, std::size_t end) {
        out.push_back(word_hash(text.text.data() + begin, end - begin));
    });
}

std::int64_t distinct_share(std::span<std::uint64_t const> words, hash_set& scratch) {
    if (words.size() < repetition_words) {
        return 1000;
    }
    std::int64_t const shingles = std::int64_t(words.size() - repetition_words + 1);
    std::int64_t distinct = 0;
    scratch.clear(std::size_t(shingles));
    each_shingle(words, repetition_words, [&](std::uint64_t hash) { distinct += scratch.insert(hash) ? 1 : 0; });
    return 1000 * distinct / shingles;
}

std::int64_t copied_share(std::span<std::uint64_t const> words, hash_set const& known) {
    if (words.size() < copy_words) {
        return 0;
    }
    std::int64_t found = 0;
    each_shingle(words, copy_words, [&](std::uint64_t hash) { found += known.contains(hash) ? 1 : 0; });
    return 1000 * found / std::int64_t(words.size() - copy_words + 1);
}

std::int64_t hidden_share(ready_text const& text) { return text.points == 0 ? 0 : 1000 * text.hidden / text.points; }

std::int32_t falling(std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value <= low) {
        return full_factor;
    }
    return value >= high ? 0 : std::int32_t(full_factor * (high - value) / (high - low));
}

std::int32_t density_factor(std::int64_t value, gate_limits const& limits) {
    return limits.density == 0 ? full_factor : falling(2 * value, 5 * limits.density, 12 * limits.density);
}

length_gate gate_of_length(std::int64_t words, gate_limits const& limits) {
    length_gate best{.factor = -1};
    for (std::int64_t const own : limits.words) {
        // Rises from a third to two thirds of the reference's length, and falls from one and a half times to three
        // times its length.
        std::int32_t const rise = own == 0 ? full_factor : falling(-3 * words, -2 * own, -own);
        std::int32_t const fall = own == 0 ? falling(words, 0, 1) : falling(2 * words, 3 * own, 6 * own);
        if (std::int32_t const factor = std::min(rise, fall); factor > best.factor) {
            best = {factor, own};
        }
    }
    best.factor = std::max(best.factor, 0);
    return best;
}

std::string sentence_of(gate_score const& found) {
    std::int64_t const own = found.own;
    std::string const head = fmt::format("{} {}", name_of(found.which), found.value);
    auto const above = [&](std::int64_t whole, std::int64_t nothing) {
        return fmt::format("{} of 1000, the references' {}: whole up to {}, nothing from {} on", head, own, whole,
                           nothing);
    };
    switch (found.which) {
        case gate::density:
            return own == 0 ? head + " of 1000: whole, as the references match nothing" : above(5 * own / 2, 6 * own);
        case gate::length:
            return fmt::format("{} words, a reference's {}: whole from {} to {}, nothing up to {} and from {} on", head,
                               own, (2 * own + 2) / 3, 3 * own / 2, own / 3, std::max<std::int64_t>(1, 3 * own));
        case gate::repetition:
            return fmt::format("{} of 1000 runs of words differ, the references' {}: whole from {}, nothing up to {}",
                               head, own, own - gate_limits::repetition_slack, own - gate_limits::repetition_end);
        case gate::copy: return above(own + gate_limits::copy_slack, own + gate_limits::copy_end);
        default: return above(own + gate_limits::hidden_slack, own + gate_limits::hidden_end);
    }
}

std::int32_t repetition_factor(std::int64_t value, gate_limits const& limits) {
    return falling(limits.repetition - value, gate_limits::repetition_slack, gate_limits::repetition_end);
}

std::int32_t copy_factor(std::int64_t value, std::int64_t own) {
    return falling(value - own, gate_limits::copy_slack, gate_limits::copy_end);
}

std::int32_t hidden_factor(std::int64_t value, gate_limits const& limits) {
    return falling(value - limits.hidden, gate_limits::hidden_slack, gate_limits::hidden_end);
}

}  // namespace optgap::rubrics
