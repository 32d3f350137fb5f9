#pragma once

#include <cstdint>
#include <string>

#include "optgap/baseline.hpp"
#include "optgap/format.hpp"
#include "optgap/reward.hpp"
#include "optgap/roles/advantages.hpp"

namespace optgap::rows {

/// What scoring knows of a row of any kind, small enough to keep for a whole file. The kind keeps the rest under
/// `entry`.
struct graded_row {
    reward_row value;
    std::int64_t objective = no_objective;  ///< of a feasible answer
    std::int64_t violation = 0;
    double score = 0;  ///< what ranking estimators compare, by `direction`, where the kind has no scores of its own
    sense direction = sense::maximise;
    text_span answer;
    std::int64_t baseline_objective = no_objective;
    std::int64_t baseline_bound = no_objective;
    char const* baseline_kind = "";  ///< proven, bounded, unknown (no bound), external, ranked, reference
    bool proven = false;
    std::int32_t task = -1;   ///< index of an engine's task, or a number of run_names
    std::int32_t group = -1;  ///< -1: the row was rejected
    std::int32_t length = 0;  ///< tokens, from the row's `length`
    std::int32_t format = 0;  ///< index into known_formats(); -1: none was named, and none is needed
    std::int32_t kind = -1;   ///< index into scorer::kinds()
    std::int64_t entry = -1;  ///< index among the rows that the kind keeps
    role of_role = role::solver;
    bool reached = false;   ///< whether the kind calls it as good as what it is measured against
    bool has_pair = false;  ///< whether `pair` is set
    struct {
        double content, style;
    } pair = {0, 0};  ///< read by the estimator `decoupled` from a text's row
};

/// The objective as JSON.
[[nodiscard]] inline std::string objective_or_null(std::int64_t value) {
    return value == no_objective ? "null" : std::to_string(value);
}

[[nodiscard]] constexpr char const* baseline_kind_of(baseline const& of) {
    return of.proven() ? "proven" : of.bound == no_objective ? "unknown" : "bounded";
}

}  // namespace optgap::rows
