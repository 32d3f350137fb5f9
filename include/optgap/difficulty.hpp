#pragma once  // Stable.

#include <cstdint>

namespace optgap {

/// A level of difficulty: the four of the FORGE paper, or a step of a task's endless difficulty scale (d0, d1, …).
struct difficulty {
    std::int32_t code = -1;  ///< -4 easy, -3 medium, -2 hard, -1 benchmark; d >= 0 is step d of the scale

    static constexpr difficulty easy() { return {-4}; }
    static constexpr difficulty medium() { return {-3}; }
    static constexpr difficulty hard() { return {-2}; }
    static constexpr difficulty benchmark() { return {-1}; }
    static constexpr difficulty scale(std::int32_t d) { return {d}; }
    [[deprecated("difficulty::scale")]] static constexpr difficulty ladder(std::int32_t d) { return scale(d); }

    [[nodiscard]] constexpr bool on_scale() const { return code >= 0; }
    [[deprecated("on_scale"), nodiscard]] constexpr bool on_ladder() const { return on_scale(); }
    /// 0 … 3 for the paper's levels.
    [[nodiscard]] constexpr std::int32_t level() const { return code + 4; }
    friend constexpr bool operator==(difficulty, difficulty) = default;
};

inline constexpr std::int32_t max_scale_step = 1'000'000;  ///< last step; no task's formula may overflow at or below it

}  // namespace optgap
