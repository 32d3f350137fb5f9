#pragma once  // Stable.

#include <cstdint>

namespace optgap {

enum class sense : std::int32_t { minimise = 0, maximise = 1 };

/// The state of knowledge about an instance's optimum.
enum class baseline_status : std::int32_t {
    unknown = 0,     ///< no feasible answer is known, and no proof that none exists
    bounded = 1,     ///< a feasible answer and a bound that do not meet
    optimal = 2,     ///< objective == bound, proven
    infeasible = 3,  ///< proven: no feasible answer exists
};

/// An objective that does not exist (infeasible, unknown).
inline constexpr std::int64_t no_objective = INT64_MIN;

/// The measure of an instance's answers: the incumbent, its bound and the two anchors. Frozen for a run.
struct baseline {
    std::int64_t objective = no_objective;  ///< of the best known answer
    std::int64_t bound = no_objective;      ///< nothing can be better than this
    std::int64_t floor = no_objective;      ///< objective of the constant-policy baseline, when that is feasible
    std::int64_t greedy = no_objective;     ///< objective of one deterministic greedy pass, when feasible
    std::int64_t steps = 0;                 ///< effort spent, in the task's steps
    baseline_status status = baseline_status::unknown;
    std::int32_t bound_kind = 0;  ///< index into the task's `bound_kinds`

    [[nodiscard]] constexpr bool proven() const {
        return status == baseline_status::optimal || status == baseline_status::infeasible;
    }
    friend constexpr bool operator==(baseline const&, baseline const&) = default;
};

}  // namespace optgap
