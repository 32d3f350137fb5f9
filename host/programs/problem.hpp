#pragma once
// A problem of programs: K instances of one task, which the program does not see when it is written.
//
//   tsp@1:train:hard:42*10#9f3a1c2e        the instances of the seeds 42 to 51
//   tsp@1:train:hard:42*10:s1#9f3a1c2e     the same, in statement style 1
//   tsp@1:x:HASH32*3                       a user's own: the row holds them as `instances`

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/batch.hpp"
#include "optgap/key.hpp"

namespace optgap::programs {

inline constexpr std::int32_t most_instances = 1000;

struct problem_key {
    instance_key first;      ///< of the first seed; `hash` is the problem's
    std::int32_t count = 1;  ///< instances, 1 to most_instances
};

/// Does the text name a problem rather than an instance?
[[nodiscard]] bool is_problem_key(std::string_view text);
/// Throws field_error{"key", …}.
problem_key parse_problem_key(std::string_view text);
std::string to_string(problem_key const& key);

/// XXH3-128 over the instances' hashes, in order, 16 bytes each (high, then low, little-endian).
instance_hash problem_hash(std::span<instance_hash const> instances);

/// The hidden instances of a key that is not explicit. Throws field_error where the last seed leaves 64 bits.
std::vector<instance_spec> specs_of(problem_key const& key, std::int32_t task);
/// Of the statement's example: easy, of the same split, of the first seed, of which a problem of easy instances hides
/// none (the seed is then the first one behind the hidden ones, or before them where there is none behind).
instance_spec example_of(problem_key const& key, std::int32_t task);

}  // namespace optgap::programs
