// The policy replay, after prioritised level replay (Jiang, Grefenstette, Rocktäschel, "Prioritized Level Replay",
// ICML 2021): the steps that taught most when they were last seen are repeated, and those not seen for long come now
// and then.

#include <algorithm>
#include <numeric>

#include "host/curriculum/policies.hpp"

namespace optgap {
namespace {

constexpr std::uint32_t replay_domain = 0x72706c79;  ///< of the random words: "rply"

/// The mean size of a rollout's distance from its level's success, 2 p (1 - p), in units of 2^-30.
std::int64_t score(rollout_counts const& counts, std::int64_t attempts) {
    if (attempts == 0) {
        return 0;
    }
    auto const product = static_cast<unsigned __int128>(counts.correct) * std::uint64_t(attempts - counts.correct);
    auto const half = (product << 1) / std::uint64_t(attempts);  // counts have 53 bits at most
    return std::int64_t((half << 30) / std::uint64_t(attempts));
}

/// A random place of `weights`, each by its share of their sum; -1 where that is 0.
std::int32_t place_by(std::vector<std::uint64_t> const& weights, draw_stream& words) {
    std::uint64_t const sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t(0));
    if (sum == 0) {
        return -1;
    }
    std::uint64_t const high = words.next();
    std::uint64_t const bits = high << 32 | words.next();
    std::uint64_t at = std::uint64_t((static_cast<unsigned __int128>(bits) * sum) >> 64);
    std::size_t k = 0;
    for (; at >= weights[k]; ++k) {
        at -= weights[k];
    }
    return std::int32_t(k);
}

/// 1 / rank^power, in units of 2^-40.
std::uint64_t weight_of(std::size_t rank, std::int32_t power) {
    std::uint64_t weight = std::uint64_t(1) << 40;
    for (std::int32_t k = 0; k < power; ++k) {
        weight /= rank;
    }
    return weight;
}

}  // namespace

std::int32_t ranked_step(curriculum_spec const& spec, curriculum_window const& window, std::int64_t step,
                         std::uint64_t seed) {
    draw_stream words({seed, replay_domain}, 0);
    std::size_t const size = window.seen.size();
    std::vector<std::int32_t> unseen;
    std::vector<std::uint64_t> waited(size);
    for (std::size_t k = 0; k < size; ++k) {
        if (window.seen[k] < 0) {
            unseen.push_back(std::int32_t(k));
        } else {
            waited[k] = std::uint64_t(std::max<std::int64_t>(0, step - 1 - window.seen[k]));
        }
    }
    std::int32_t const any = words.uniform(0, std::int32_t(size) - 1);
    if (std::size_t(any) < unseen.size()) {
        return window.low + unseen[std::size_t(any)];
    }
    if (double(words.next()) < spec.stale * 4294967296.0) {
        std::int32_t const k = place_by(waited, words);
        if (k >= 0) {
            return window.low + k;
        }
    }
    std::vector<std::int64_t> scores(size, -1);  // -1 for unseen ones
    std::vector<std::size_t> order(size);
    for (std::size_t k = 0; k < size; ++k) {
        if (window.seen[k] >= 0) {
            scores[k] = score(window.since[k], tried(spec, window.since[k]));
        }
        order[k] = k;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<std::uint64_t> weights(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        weights[order[rank]] = scores[order[rank]] < 0 ? 0 : weight_of(rank + 1, spec.rank_power);
    }
    return window.low + place_by(weights, words);
}

void advance_replay(std::span<curriculum_cell const> arrived, std::int64_t step, curriculum_window& window) {
    for (curriculum_cell const& cell : arrived) {
        std::size_t const k = std::size_t(cell.level.code - window.low);
        window.since[k] = cell.counts;
        window.seen[k] = step;
    }
}

}  // namespace optgap
