#pragma once  // Experimental.
// A curriculum of which a share comes from a pool: {"policy": "pool", "scale": 0.5, "inner": "adaptive"}.

#include <cstdint>
#include <string>
#include <string_view>

#include "optgap/curriculum.hpp"

namespace optgap {

struct pool_mix {
    double scale = 0.5;     ///< share of a step's problems that are the inner curriculum's
    curriculum_spec inner;  ///< any other policy
};

/// Throws error{invalid_argument} that names the field.
pool_mix parse_pool_mix(std::string_view text);
/// As a JSON object that parse_pool_mix reads back to the same.
std::string to_json(pool_mix const& mix);

/// Whether problem `index` (below 2^32) of a step is the inner curriculum's; else it is the pool's draw of this index.
/// A pure function: ranks and resumed runs agree on it.
[[nodiscard]] bool from_scale(pool_mix const& mix, std::uint64_t seed, std::int64_t step, std::int64_t index);

}  // namespace optgap
