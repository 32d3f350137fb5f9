#include "host/store/row.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

namespace optgap::store {
namespace {

std::uint64_t hex_number(std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
}

/// The answer that stays: the better objective, and among equals the smallest in everything else.
bool answer_wins(row const& a, row const& b, sense direction) {
    if (a.objective != b.objective) {
        return better(direction, a.objective, b.objective);
    }
    return std::tie(a.answer, a.found) < std::tie(b.answer, b.found);
}

/// The bound that stays is the tighter one, which is the worse one as a value; no bound is the loosest.
bool bound_wins(row const& a, row const& b, sense direction) {
    if (a.excluded != b.excluded) {
        return a.excluded;
    }
    if (a.bound != b.bound) {
        return b.bound == no_objective || (a.bound != no_objective && better(direction, b.bound, a.bound));
    }
    return std::tie(a.bound_kind, a.bounded) < std::tie(b.bound_kind, b.bounded);
}

/// For anchors and published values: the better one of two that differ, so that the order does not matter.
std::int64_t best(sense direction, std::int64_t a, std::int64_t b) { return better(direction, a, b) ? a : b; }

}  // namespace

std::strong_ordering operator<=>(row_key const& a, row_key const& b) {
    return std::tie(a.task, a.version, a.part, a.level, a.seed, a.own.high, a.own.low) <=>
           std::tie(b.task, b.version, b.part, b.level, b.seed, b.own.high, b.own.low);
}

row_key key_of(instance_key const& key, instance_hash hash) {
    if (!key.is_explicit) {
        return {key.task, key.version, std::int32_t(key.part), key.level.code, std::int64_t(key.seed), {}};
    }
    if (key.hash.size() != 32) {
        throw field_error("key", "has no hash of 32 digits: expected TASK@VERSION:x:HASH32");
    }
    instance_hash const own{hex_number(std::string_view(key.hash).substr(0, 16)),
                            hex_number(std::string_view(key.hash).substr(16))};
    if (own != hash) {
        throw field_error("key", "is not the hash of its instance");
    }
    return {key.task, key.version, explicit_part, 0, 0, own};
}

std::string to_string(row_key const& key, instance_hash hash) {
    instance_key text;
    text.task = key.task;
    text.version = key.version;
    text.is_explicit = key.part == explicit_part;
    if (!text.is_explicit) {
        text.part = split(key.part);
        text.level = {key.level};
        text.seed = std::uint64_t(key.seed);
    }
    text.hash = text.is_explicit ? hex32(hash) : hex8(hash);
    return optgap::to_string(text);
}

baseline_status row::status() const {
    if (excluded) {
        return baseline_status::infeasible;
    }
    if (objective == no_objective) {
        return baseline_status::unknown;
    }
    return objective == bound ? baseline_status::optimal : baseline_status::bounded;
}

double relative_gap(row const& of) {
    bool const known = of.objective != no_objective && of.bound != no_objective && of.bound != 0;
    return known && !of.proven() ? std::fabs((double(of.objective) - double(of.bound)) / double(of.bound))
                                 : std::numeric_limits<double>::quiet_NaN();
}

bool better(sense direction, std::int64_t a, std::int64_t b) {
    if (a == no_objective || b == no_objective) {
        return a != no_objective;
    }
    return direction == sense::maximise ? a > b : a < b;
}

void require_sound(row const& one, sense direction) {
    if (one.excluded && one.objective != no_objective) {
        throw alarm(to_string(one.key, one.hash) + ": " + one.found.solver + " has a verified answer of " +
                    std::to_string(one.objective) + ", but " + one.bounded.solver + " of engine " + one.bounded.engine +
                    " proved that there is none; nothing was written");
    }
    if (one.objective != no_objective && one.bound != no_objective && better(direction, one.objective, one.bound)) {
        throw alarm(to_string(one.key, one.hash) + ": the verified answer of " + one.found.solver + " is " +
                    std::to_string(one.objective) + ", better than the bound " + std::to_string(one.bound) + " (" +
                    one.bound_kind + ") of engine " + one.bounded.engine + "; nothing was written");
    }
}

row join(row const& a, row const& b, sense direction) {
    if (a.hash != b.hash) {
        throw alarm(to_string(a.key, a.hash) + ": another row of this key is of the instance " + hex32(b.hash) +
                    "; nothing was written");
    }
    row out = answer_wins(a, b, direction) ? a : b;
    row const& bounding = bound_wins(a, b, direction) ? a : b;
    out.excluded = bounding.excluded;
    out.bound = bounding.bound;
    out.bound_kind = bounding.bound_kind;
    out.bounded = bounding.bounded;
    out.floor = best(direction, a.floor, b.floor);
    out.greedy = best(direction, a.greedy, b.greedy);
    out.published = best(direction, a.published, b.published);
    out.tried = std::max(a.tried, b.tried);
    require_sound(out, direction);
    return out;
}

std::vector<std::byte> pack(std::vector<std::int32_t> const& block) {
    std::vector<std::byte> out;
    out.reserve(block.size() * 2);
    for (std::int32_t const value : block) {
        std::uint32_t rest = (std::uint32_t(value) << 1) ^ std::uint32_t(value >> 31);
        while (rest >= 0x80) {
            out.push_back(std::byte(rest & 0x7f) | std::byte(0x80));
            rest >>= 7;
        }
        out.push_back(std::byte(rest));
    }
    return out;
}

std::vector<std::int32_t> unpack(std::byte const* bytes, std::size_t size) {
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < size;) {
        std::uint64_t value = 0;
        int shift = 0;
        bool more = true;
        for (; more && i < size && shift < 35; shift += 7) {
            auto const byte = std::uint64_t(bytes[i++]);
            value |= (byte & 0x7f) << shift;
            more = (byte & 0x80) != 0;
        }
        if (more || value > UINT32_MAX) {
            throw error(status::internal, "bytes of an answer that end in a number: expected whole numbers of 32 bits");
        }
        auto const word = std::uint32_t(value);
        out.push_back(std::int32_t((word >> 1) ^ (~(word & 1) + 1)));
    }
    return out;
}

}  // namespace optgap::store
