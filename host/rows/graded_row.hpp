#pragma once

#include <cstdint>
#include <string>

#include "optgap/baseline.hpp"
#include "optgap/format.hpp"
#include "optgap/reward.hpp"
#include "optgap/roles/advantages.hpp"

namespace optgap::rows {

/// What scoring knows of a row of any kind, small enough to keep for a whole file. What else its kind knows of it
/// stands under `entry` in the kind.
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
    std::int32_t task = -1;   ///< of the engine's, or a name's number of run_names
    std::int32_t group = -1;  ///< -1: the row was rejected
    std::int32_t length = 0;  ///< tokens, from the row's `length`
    std::int32_t format = 0;  ///< index into known_formats(); -1: none was named, and none is needed
    std::int32_t kind = -1;   ///< index into scorer::kinds()
    std::int64_t entry = -1;  ///< among the rows that its kind keeps
    role of_role = role::solver;
    bool reached = false;   ///< is it as good as what it is measured against, by the kind's own word?
    bool has_pair = false;  ///< is `pair` set?
    struct {
        double content, style;
    } pair = {0, 0};  ///< what the estimator `decoupled` reads of a text's row
};

/// As JSON.
[[nodiscard]] inline std::string objective_or_null(std::int64_t value) {
    return value == no_objective ? "null" : std::to_string(value);
}

[[nodiscard]] constexpr char const* baseline_kind_of(baseline const& of) {
    return of.proven() ? "proven" : of.bound == no_objective ? "unknown" : "bounded";
}

}  // namespace optgap::rows
