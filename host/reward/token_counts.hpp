#pragma once
// The check that rollouts have token counts where a reward reads them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "optgap/reward.hpp"
#include "optgap/status.hpp"

namespace optgap {

/// Refuses rollouts whose tokens a reward reads and that have no count: for each batch by itself, before it is joined
/// with others.
inline void require_token_counts(reward_rules const& rules, std::span<std::int32_t const> length, std::size_t rows) {
    if (!reads_lengths(rules)) {
        return;
    }
    if (length.size() != rows) {
        misuse("length: the reward has a length penalty, which needs the tokens of every rollout (" +
               std::to_string(rows) + "), got " + std::to_string(length.size()));
    }
    for (std::size_t r = 0; r < rows; ++r) {
        if (length[r] < 0) {
            misuse("length: " + std::to_string(length[r]) + " tokens in row " + std::to_string(r));
        }
    }
}

}  // namespace optgap
