#pragma once
// The similarity of proposals: a number for each node of the structure, in order.

#include <cstdint>
#include <span>
#include <vector>

namespace optgap::proposals {

using profile = std::vector<std::int64_t>;

/// The profile of a task's instance. For each node of its structure (kernels/canonical/structure.hpp) it has the number
/// of joints and the sum of the values at the node and on the joints, sorted. It is the same for all labels. A task
/// without other labels has its words as profile.
profile profile_of(std::int32_t task, std::span<std::int32_t const> words);

/// The sum of differences. Profiles of different lengths are never near.
std::int64_t distance(profile const& a, profile const& b);

}  // namespace optgap::proposals
