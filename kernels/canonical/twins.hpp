#pragma once
// Nodes that any permutation of them leaves the structure as it is under: equal neighbours elsewhere, and all or none
// of them joined to each other, alike.

#include "kernels/canonical/colouring.hpp"

namespace optgap::canonical {

/// Leaves one node of each set of twins, which says by a word of its own how many it stands for and how they were
/// joined. `round` counts the calls for one structure. False, and nothing changed, where there are none.
bool merge_twins(graph& of, colouring const& refined, std::int32_t round);

}  // namespace optgap::canonical
