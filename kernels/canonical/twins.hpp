#pragma once
// Twins: nodes that can be permuted in any way without changing the structure. They have equal neighbours outside of
// their set, and are joined to each other either all, in the same way, or not at all.

#include "kernels/canonical/colouring.hpp"

namespace optgap::canonical {

/// Keeps one node of each set of twins, with an additional word for the number of nodes that it stands for and how they
/// were joined. `round` counts the calls for one structure. Returns false, and changes nothing, if there are no twins.
bool merge_twins(graph& of, colouring const& refined, std::int32_t round);

}  // namespace optgap::canonical
