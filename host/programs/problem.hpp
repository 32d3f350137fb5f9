#pragma once
// A problem for programs: K instances of one task that the program's author does not see.
//
//   tsp@1:train:hard:42*10#9f3a1c2e        the instances of the seeds 42 to 51
//   tsp@1:train:hard:42*10:s1#9f3a1c2e     the same, in statement style 1
//   tsp@1:x:HASH32*3                       a user's own: the row contains them as `instances`

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/batch.hpp"
#include "optgap/key.hpp"

namespace optgap::programs {

inline constexpr std::int32_t max_instances = 1000;

struct problem_key {
    instance_key first;      ///< of the first seed, but with the problem's `hash`
    std::int32_t count = 1;  ///< number of instances, 1 to max_instances
};

/// Whether the text names a problem instead of an instance.
[[nodiscard]] bool is_problem_key(std::string_view text);
/// Throws field_error{"key", …}.
problem_key parse_problem_key(std::string_view text);
std::string to_string(problem_key const& key);

/// XXH3-128 over the instances' hashes in order, 16 bytes each (high, then low, little-endian).
instance_hash problem_hash(std::span<instance_hash const> instances);

/// The hidden instances of a key that is not explicit. Throws field_error where the last seed exceeds 64 bits.
std::vector<instance_spec> specs_of(problem_key const& key, std::int32_t task);
/// The statement's example: easy, of the same split and with the first seed. A problem of easy instances must not hide
/// it, so there it has the first seed after the hidden ones, or before them where none follows.
instance_spec example_of(problem_key const& key, std::int32_t task);

}  // namespace optgap::programs
