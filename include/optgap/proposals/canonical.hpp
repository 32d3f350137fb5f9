#pragma once  // Experimental.
// Canonical keys of problems. Instances have one key where they differ by labels alone, or by what a task's folder
// defines as immaterial: a common divisor, a shift of time, points moved or turned.

#include <cstdint>
#include <span>
#include <string>

#include "optgap/key.hpp"

namespace optgap {

class engine;
struct task_info;

struct canonical_hash {
    instance_hash hash;  ///< XXH3-128 of the canonical words
    /// Refinement could not tell all labels apart within the search's nodes, so another problem may share the hash.
    bool coarse = false;
    std::int64_t nodes = 0;  ///< of the search
};

/// The hash of one instance of the engine's task, on the caller's thread. Throws error{invalid_argument} for words that
/// are no instance.
canonical_hash canonical_of(engine const& by, std::int32_t task, std::span<std::int32_t const> words);

/// "tsp@1:c:HASH32", the name of a problem under all its labels.
std::string canonical_key(task_info const& info, canonical_hash const& of);

}  // namespace optgap
