#pragma once
// The canonical words of a structure: the same for isomorphic structures and for no others, unless the search for them
// ran out of nodes. Weighted colour refinement comes first. Nodes that can be exchanged with each other and nothing
// else ("twins") are merged. Then follow individualisation and refinement, depth first: a branch is left if its trace
// is worse than the best one's, or if a symmetry found earlier maps it to a branch that was tried (McKay 1981; McKay
// and Piperno 2014).

#include <cstdint>
#include <vector>

#include "kernels/canonical/structure.hpp"

namespace optgap::canonical {

struct labelled {
    std::vector<std::int32_t> words;
    /// The search ended early: the words contain only the result of refinement, so that other structures may share
    /// them.
    bool coarse = false;
    std::int64_t nodes = 0;  ///< of the search
};

inline constexpr std::int64_t max_nodes = 10'000;

/// Visits at most `budget` nodes, and fewer for a large structure, because the cost of a node is at least its arcs.
labelled label(structure const& of, std::int64_t budget = max_nodes);

}  // namespace optgap::canonical
