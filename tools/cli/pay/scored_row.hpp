#pragma once

#include <cstdint>

#include "optgap/baseline.hpp"
#include "optgap/format.hpp"
#include "optgap/reward.hpp"
#include "optgap/roles/advantages.hpp"

namespace optgap::cli {

/// What scoring knows of a row, small enough to keep for a whole file.
struct scored_row {
    reward_row value;
    std::int64_t objective = no_objective;  ///< of a feasible answer
    std::int64_t violation = 0;
    double score = 0;  ///< what ranking estimators compare, by `direction`
    sense direction = sense::maximise;
    text_span answer;
    std::int64_t baseline_objective = no_objective;
    std::int64_t baseline_bound = no_objective;
    char const* baseline_kind = "";  ///< proven, bounded, unknown (no bound), external, ranked, reference
    bool proven = false;
    std::int32_t task = -1;
    std::int32_t group = -1;
    std::int32_t length = 0;      ///< tokens, from the row's `length`
    std::int32_t format = 0;      ///< index into known_formats(); -1: none was said, and none is needed
    std::int64_t program = -1;    ///< program rows: their place among program_rows' details
    std::int64_t proposal = -1;   ///< its place among the proposals
    std::int64_t judgement = -1;  ///< its place among the judgements
    role of_role = role::solver;
    std::int32_t chain = -1;  ///< its entry among the scores of chains
    struct {
        float content, style;
    } pair = {0, 0};  ///< what `decoupled` reads of a chain's row
};

}  // namespace optgap::cli
