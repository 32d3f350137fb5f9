#pragma once
// The mean score, standardised within its group.

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct raw {
    static constexpr estimator id = estimator::raw;
    static constexpr estimator_info info{.name = "raw",
                                         .formula = "mean score over instances, standardised",
                                         .source = "RiVER's baselines",
                                         .reads = {.scores = true}};

    template <class Group>
    OPTGAP_HD static void score_column(Group const& group) {
        group.impute();
    }

    template <class Group>
    OPTGAP_HD static void finish(Group const& group) {
        group.standardise(group.out());
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
