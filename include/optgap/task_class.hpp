#pragma once  // Stable.

#include <cstdint>
#include <string_view>

namespace optgap {

/// What a task's answers are judged by.
enum class task_class : std::int32_t {
    optimise = 0,  ///< feasible or not, and an objective whose optimum is to be proven
    satisfy = 1,   ///< constraints that can all hold at once; the objective counts those that do
    exact = 2,     ///< one answer is right, and an algorithm finds it
};

[[nodiscard]] constexpr std::string_view name_of(task_class kind) {
    constexpr std::string_view names[] = {"optimise", "satisfy", "exact"};
    return names[std::int32_t(kind)];
}

}  // namespace optgap
