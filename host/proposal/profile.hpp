#pragma once
// What proposals are near to each other: a number for each node of the structure, in order.

#include <cstdint>
#include <span>
#include <vector>

namespace optgap::proposals {

using profile = std::vector<std::int64_t>;

/// Of an instance of a task: for each node of its structure (kernels/canonical/structure.hpp) how many joints it has
/// and the sum of what stands at it and on them, sorted. The same for all labels. Of a task without other labels: its
/// words.
profile profile_of(std::int32_t task, std::span<std::int32_t const> words);

/// Sum of differences; profiles of different lengths are never near.
std::int64_t distance(profile const& a, profile const& b);

}  // namespace optgap::proposals
