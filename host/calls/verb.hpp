#pragma once
// The batch verbs by name: traces, the daemon's statistics and the choice of a device go by it.

#include <array>
#include <cstddef>
#include <cstdint>

namespace optgap {

enum class verb : std::uint32_t {
    generate = 0,
    verify,
    greedy,
    improve,
    solve,
    grade,
    floor,
    rewards,
    advantages,
    ranks,
    count_,
};

inline constexpr std::size_t verb_count = std::size_t(verb::count_);
inline constexpr std::array<char const*, verb_count> verb_names{"generate", "verify", "greedy",  "improve",    "solve",
                                                                "grade",    "floor",  "rewards", "advantages", "ranks"};
static_assert(verb_names.back() != nullptr);

}  // namespace optgap
