#include "host/pool/weights.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "kernels/core/rng.hpp"
#include "optgap/status.hpp"

namespace optgap::pool {
namespace {

__extension__ using wide = unsigned __int128;

constexpr std::uint32_t draw_purpose = 0x706f6f6c;  // "pool"
/// An entry not seen for so many steps weighs as much as a new one does.
constexpr std::int64_t stale_steps = 64;
/// An untried entry counts as if two of four answers had been right.
constexpr std::int64_t prior_attempts = 4, prior_solved = 2;

std::uint64_t staleness(standing const& one, std::int64_t now) {
    std::int64_t const since = std::clamp<std::int64_t>(now - std::max(one.born, one.seen), 0, stale_steps);
    return std::uint64_t(since * (whole_quality / stale_steps));
}

bool in_band(outcome const& sums) {
    std::int64_t const all = sums.attempts * whole_quality;
    return sums.attempts == 0 || (10 * sums.quality >= 3 * all && 10 * sums.quality <= 8 * all);
}

std::int64_t missing_of(outcome const& sums) {
    std::int64_t const attempts = sums.attempts + prior_attempts;
    return whole_quality - (sums.quality + prior_solved * whole_quality) / attempts;
}

}  // namespace

policy policy_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(policy_names); ++i) {
        if (name == policy_names[i]) {
            return policy(i);
        }
    }
    throw field_error("policy", fmt::format("'{}': expected {}", name.substr(0, 40), fmt::join(policy_names, ", ")));
}

std::int64_t signal_of(outcome const& sums) {
    wide const n = wide(sums.attempts + prior_attempts);
    wide const sum = wide(sums.quality + prior_solved * whole_quality);
    wide const squares = wide(sums.quality_sq) + wide(prior_solved) * wide(whole_quality) * wide(whole_quality);
    // 4 (n Σx² - (Σx)²) / (n (n - 1)) in units of 2^-40, and then of 2^-20. Below 2^83, so that 128 bits hold it.
    wide const four = 4 * (n * squares - sum * sum) / (n * (n - 1)) / wide(whole_quality);
    return std::int64_t(std::min(four, wide(whole_quality)));
}

std::vector<std::uint64_t> weights_of(policy by, std::span<standing const> of, std::int64_t now, std::int64_t window) {
    std::vector<std::uint64_t> out(of.size(), 0);
    auto const is_new = [&](standing const& one) { return one.born >= now - window; };
    std::uint64_t fresh = 0, rest = 0;
    for (standing const& one : of) {
        (is_new(one) ? fresh : rest) += one.gone ? 0 : 1;
    }
    bool nothing = true;
    for (std::size_t i = 0; i < of.size(); ++i) {
        standing const& one = of[i];
        if (one.gone) {
            continue;
        }
        switch (by) {
            case policy::uniform: out[i] = 1; break;
            case policy::step: out[i] = std::uint64_t(one.born) + 1; break;
            case policy::max_new: out[i] = is_new(one) ? 1 : 0; break;
            // Both sides have the total weight fresh * rest.
            case policy::half_new: out[i] = is_new(one) ? rest : fresh; break;
            case policy::signal: out[i] = std::uint64_t(signal_of(one.sums)) + staleness(one, now); break;
            case policy::regret: out[i] = std::uint64_t(missing_of(one.sums)) + staleness(one, now); break;
            case policy::band: out[i] = in_band(one.sums) ? 1 : 0; break;
            case policy::frontier: out[i] = one.sums.solved == 0 ? 1 : 0; break;
        }
        nothing = nothing && out[i] == 0;
    }
    for (std::size_t i = 0; i < of.size() && nothing; ++i) {
        out[i] = of[i].gone ? 0 : 1;
    }
    return out;
}

drawer::drawer(std::uint64_t seed, std::int64_t step, std::vector<std::uint64_t> const& weights)
    : seed_(seed), step_(step) {
    if (weights.empty()) {
        throw field_error("pool", "is empty: expected an entry to draw; optgap pool add puts some in");
    }
    until_.reserve(weights.size());
    std::uint64_t sum = 0;
    for (std::uint64_t const weight : weights) {
        until_.push_back(sum += weight);
    }
}

drawn_entry drawer::draw(std::int64_t index) const {
    philox_block const words = philox(seed_, std::uint32_t(index), std::uint32_t(step_), draw_purpose,
                                      std::uint32_t(std::uint64_t(step_) >> 32));
    std::uint64_t const word = std::uint64_t(words.word[0]) << 32 | words.word[1];
    auto const at = std::uint64_t(wide(word) * wide(until_.back()) >> 64);
    auto const found = std::ranges::upper_bound(until_, at);
    return {found - until_.begin(), std::uint64_t(words.word[2]) << 32 | words.word[3]};
}

}  // namespace optgap::pool
