#pragma once  // Stable.

#include <cstdint>
#include <string_view>

namespace optgap {

/// How a task's answers are judged.
enum class task_class : std::int32_t {
    optimise = 0,  ///< feasible or not, and an objective whose optimum is to be proven
    satisfy = 1,   ///< constraints that can all hold at once; the objective counts those that do
    exact = 2,     ///< one answer is right, and an algorithm finds it
};

[[nodiscard]] constexpr std::string_view name_of(task_class kind) {
    constexpr std::string_view names[] = {"optimise", "satisfy", "exact"};
    return names[std::int32_t(kind)];
}

/// The verdict codes every task shares. A task's own codes follow from `first_task_code` on, in the order of its
/// `codes` table. The numbers are part of the format: append, never reorder.
enum verdict_code : std::int32_t {
    code_ok = 0,
    code_format_missing_reasoning,
    code_format_missing_answer,
    code_format_repeated,
    code_format_trailing,
    code_truncated,
    code_unparsable,
    code_bad_depth,
    code_not_integer,
    code_overflow,
    code_out_of_range,
    code_repeated,
    code_wrong_length,
    code_empty,
    shared_code_count,
    first_task_code = 64,
};

/// The verifier's result for one answer. Integers only, the same bytes from every executor.
struct verdict {
    std::int32_t code = code_ok;     ///< the first broken rule in the order of the task's README; code_ok when feasible
    std::int32_t where = -1;         ///< smallest index into the answer's values where it broke; -1 when there is none
    std::int64_t objective = 0;      ///< meaningful when code is code_ok
    std::int64_t violation = 0;      ///< how far from feasible, 0 … violation_max
    std::int64_t violation_max = 0;  ///< the task's worst violation on this instance, at least 1

    [[nodiscard]] constexpr bool feasible() const { return code == code_ok; }
    friend constexpr bool operator==(verdict const&, verdict const&) = default;
};

}  // namespace optgap
