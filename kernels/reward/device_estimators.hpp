#pragma once
// The estimators of this build that any team computes, chosen by a spec: what kernels call.

#include "generated/estimators.hpp"
#include "kernels/reward/estimator_entry.hpp"

OPTGAP_KERNELS_BEGIN

/// group_advantage by the estimator of `rule`, which reads_rewards_alone.
template <class Team, class Row>
OPTGAP_HD void group_advantage_by_form(Team& team, float const* rewards, std::int64_t count, Row const& row,
                                       group_rule const& rule, double* partial, float* out) {
    listed_estimator_types::with(rule.spec.form, [&]<class Estimator>(Estimator) {
        if constexpr (of_groups<Estimator> && runs_on_device<Estimator>()) {
            group_advantage<Estimator>(team, rewards, count, row, rule, partial, out);
        }
    });
}

/// rank_scores by the estimator of `spec`, which counts_ranks.
template <class Team>
OPTGAP_HD void rank_scores_by_form(Team& team, score_range const& in, advantage_spec const& spec,
                                   rank_room const& room) {
    listed_estimator_types::with(spec.form, [&]<class Estimator>(Estimator) {
        if constexpr (of_scores<Estimator> && runs_on_device<Estimator>()) {
            rank_scores<Estimator>(team, in, spec, room);
        }
    });
}

OPTGAP_KERNELS_END
