// The policy beta, after MoPPS (Qu et al., "Can Prompt Difficulty be Online Predicted for Accelerating RL Finetuning of
// Reasoning Models?", arXiv 2507.04632): success is predicted by a Beta posterior, and drawn from it (Thompson
// sampling).

#include <algorithm>
#include <bit>

#include "host/curriculum/policies.hpp"

namespace optgap {
namespace {

constexpr std::uint32_t beta_domain = 0x62657461;  ///< of the random words: "beta"

constexpr std::int64_t max_evidence = 512;  ///< rollouts behind a posterior; bounds the cost of a draw

/// How many of `bits` random bits are ones.
std::int64_t ones(draw_stream& words, std::int64_t bits) {
    std::int64_t out = 0;
    for (; bits >= 32; bits -= 32) {
        out += std::popcount(words.next());
    }
    return bits > 0 ? out + std::popcount(words.next() >> (32 - bits)) : out;
}

}  // namespace

rollout_counts times(rollout_counts const& counts, std::int64_t numerator, std::int64_t denominator) {
    auto const part = [&](std::int64_t count) { return count * numerator / denominator; };
    return {part(counts.attempts), part(counts.correct), part(counts.truncated), part(counts.aborted)};
}

// Beta(a, b) is the a-th smallest of a + b - 1 uniform numbers. It is found bit by bit: of n numbers, as many lie in
// the lower half as there are ones among n random bits; the same again in the half with the a-th. About 2 (a + b) bits
// in all.
std::uint32_t draw_beta(draw_stream& words, std::int64_t a, std::int64_t b) {
    std::int64_t rank = a;
    std::int64_t among = a + b - 1;
    std::uint32_t value = 0;
    for (int left = 32; left > 0; --left) {
        if (among == 1) {
            return value | words.next() >> (32 - left);
        }
        std::int64_t const lower = ones(words, among);
        bool const upper_half = rank > lower;
        value |= upper_half ? std::uint32_t(1) << (left - 1) : 0;
        rank -= upper_half ? lower : 0;
        among = upper_half ? among - lower : lower;
    }
    return value;
}

std::int32_t nearest_step(curriculum_spec const& spec, curriculum_window const& window, double target,
                          std::uint64_t seed) {
    std::int64_t const wanted = std::int64_t(target * 4294967296.0);
    std::int64_t nearest = INT64_MAX;
    std::int32_t chosen = window.low;
    auto const consider = [&](std::int32_t step, rollout_counts counts) {
        while (tried(spec, counts) > max_evidence) {
            counts = times(counts, 1, 2);
        }
        draw_stream words({seed, beta_domain}, std::uint32_t(step));
        std::int64_t const success = draw_beta(words, 1 + counts.correct, 1 + tried(spec, counts) - counts.correct);
        std::int64_t const distance = std::max(success - wanted, wanted - success);
        if (distance < nearest) {
            nearest = distance;
            chosen = step;
        }
    };
    std::int32_t step = window.low - std::int32_t(window.below.size());
    for (rollout_counts const& counts : window.below) {
        if (tried(spec, counts) > 0) {  // a step that was never drawn was left behind on purpose
            consider(step, counts);
        }
        ++step;
    }
    for (rollout_counts const& counts : window.since) {
        consider(step++, counts);
    }
    return chosen;
}

void advance_beta(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_window& window) {
    constexpr std::int64_t unit = 1000;
    std::int64_t const kept = std::int64_t(spec.decay * double(unit) + 0.5);
    for (curriculum_cell const& cell : arrived) {
        rollout_counts& counts = window.since[std::size_t(cell.level.code - window.low)];
        counts = times(counts, kept, unit);
        counts += cell.counts;
    }
}

}  // namespace optgap
