#pragma once
// Ranks spread evenly over [-1, 1].

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct rank_uniform {
    static constexpr estimator id = estimator::rank_uniform;
    static constexpr estimator_info info{.name = "rank_uniform",
                                         .formula = "1 - 2 (rank - 1) / (n - 1), invalid -1; mean over instances",
                                         .source = "RiVER's baselines",
                                         .reads = {.scores = true},
                                         .needs_validity = true};

    template <class Group>
    OPTGAP_HD static void score_column(Group const& group) {
        double* const value = group.value();
        double const steps = double(group.count() - 1);
        group.rank([&](std::int64_t k, std::int32_t twice) {
            value[k] = twice == 0 ? -1.0 : 1.0 - (double(twice) - 2.0) / steps;
        });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
