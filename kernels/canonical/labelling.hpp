#pragma once
// The canonical words of a structure: the same for isomorphic structures and for no others, unless the search for them
// ran out of nodes. Weighted colour refinement first; nodes that may change places with each other and nothing else
// ("twins") become one; then individualisation and refinement, depth first, where a branch is left when its trace is
// worse than the best one's or when a symmetry found before leads to a branch that was tried (McKay 1981; McKay and
// Piperno 2014).

#include <cstdint>
#include <vector>

#include "kernels/canonical/structure.hpp"

namespace optgap::canonical {

struct labelled {
    std::vector<std::int32_t> words;
    /// The search ended early: the words say what refinement alone tells, so that other structures may share them.
    bool coarse = false;
    std::int64_t nodes = 0;  ///< of the search
};

inline constexpr std::int64_t most_nodes = 10'000;

/// At most `budget` nodes, and of a large structure fewer: a node costs its arcs at least.
labelled label(structure const& of, std::int64_t budget = most_nodes);

}  // namespace optgap::canonical
