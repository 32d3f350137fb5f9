#include "host/pool/entry.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::pool {

instance_hash digest_of(entry const& one) {
    byte_line line;
    line.text("pool entry 1");
    line.text(one.task);
    line.number(one.version);
    line.hash(one.canonical);
    line.number(one.coarse ? 1 : 0);
    line.block(one.words);
    line.number(one.infeasible ? 1 : 0);
    line.number(one.objective);
    line.number(one.floor);
    line.number(one.greedy);
    line.number(one.steps);
    line.number(one.budget);
    line.block(one.answer);
    line.number(std::int64_t(one.kind));
    line.hash(one.parent);
    line.number(one.step);
    return line.hash();
}

bool comes_before(entry const& a, instance_hash digest_a, entry const& b, instance_hash digest_b) {
    return std::tie(a.task, a.version, a.canonical.high, a.canonical.low, digest_a.high, digest_a.low) <
           std::tie(b.task, b.version, b.canonical.high, b.canonical.low, digest_b.high, digest_b.low);
}

std::string key_of(entry const& one) { return fmt::format("{}@{}:c:{}", one.task, one.version, hex32(one.canonical)); }

std::int64_t quality_units(double quality) {
    if (!(quality >= 0 && quality <= 1)) {
        throw field_error("quality", fmt::format("{}: expected a number from 0 to 1", quality));
    }
    return std::llround(quality * double(whole_quality));
}

outcome outcome_of(std::int64_t entry, bool solved, std::int64_t quality) {
    return {entry, 1, solved ? 1 : 0, quality, quality * quality};
}

std::string fault_of(outcome const& one) {
    if (one.attempts < 1 || one.attempts > max_attempts) {
        return fmt::format("{} attempts: expected 1 to {}", one.attempts, max_attempts);
    }
    if (one.solved < 0 || one.solved > one.attempts) {
        return fmt::format("{} solved of {} attempts: expected 0 to {}", one.solved, one.attempts, one.attempts);
    }
    // x² <= x <= 1, and (sum x)² <= n sum x² <= n (sum x)².
    auto const wide = [](std::int64_t value) { return static_cast<__int128>(value); };
    if (one.quality < 0 || one.quality > one.attempts * whole_quality || one.quality_sq < 0 ||
        wide(one.quality_sq) > wide(one.quality) * std::min(one.quality, whole_quality) ||
        wide(one.quality) * one.quality > wide(one.attempts) * one.quality_sq) {
        return fmt::format("{} and {} are no sums of {} qualities and their squares", one.quality, one.quality_sq,
                           one.attempts);
    }
    return {};
}

instance_hash hash_from(std::string_view digits, std::string const& field) {
    instance_hash out;
    bool right = digits.size() == 32 && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (right) {
        std::from_chars(digits.data(), digits.data() + 16, out.high, 16);
        std::from_chars(digits.data() + 16, digits.data() + 32, out.low, 16);
        return out;
    }
    throw field_error(field, fmt::format("'{}': expected 32 lower-case hex digits", digits.substr(0, 40)));
}

}  // namespace optgap::pool
