#pragma once
// 1 for the best mean score, standardised within its group.

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct raw_binary {
    static constexpr estimator id = estimator::raw_binary;
    static constexpr estimator_info info{.name = "raw_binary",
                                         .formula = "1 for the best mean score, else 0, standardised",
                                         .source = "RiVER's baselines",
                                         .reads = {.scores = true}};

    template <class Group>
    OPTGAP_HD static void score_column(Group const& group) {
        group.impute();
    }

    template <class Group>
    OPTGAP_HD static void finish(Group const& group) {
        double* const out = group.out();
        double const best = group.largest(out);
        group.team().each(group.count(), [&](std::int64_t k) { out[k] = out[k] == best ? 1.0 : 0.0; });
        group.team().sync();
        group.standardise(out);
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
