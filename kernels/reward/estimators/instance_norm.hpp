#pragma once
// Scores standardised on each instance.

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct instance_norm {
    static constexpr estimator id = estimator::instance_norm;
    static constexpr estimator_info info{.name = "instance_norm",
                                         .formula = "mean over instances of (score - mean) / (s1 + epsilon)",
                                         .source = "RiVER's baselines",
                                         .reads = {.scores = true},
                                         .needs_validity = true};

    template <class Group>
    OPTGAP_HD static void score_column(Group const& group) {
        group.impute();
        group.standardise(group.value());
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
