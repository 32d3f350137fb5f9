#pragma once
// A task with a planted answer, for tests: the search's answer is planted.

#include <cstdint>

namespace optgap {

enum class plant_lie : std::int32_t { none, nothing, infeasible, no_block, too_long };
inline plant_lie told_plant = plant_lie::none;
inline constexpr std::int32_t planted_clique_task = 2;  ///< index in the registry of these tests

}  // namespace optgap
