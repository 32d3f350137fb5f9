#pragma once
// REINFORCE++: rewards whitened over the batch.

#include <algorithm>

#include "kernels/reward/estimator_batch.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct reinforce_pp {
    static constexpr estimator id = estimator::reinforce_pp;
    static constexpr parameter parameters[] = {weighting_parameter};
    static constexpr estimator_info info{.name = "reinforce_pp",
                                         .formula = "r, whitened over the batch",
                                         .source = "REINFORCE++",
                                         .reads = {.lengths = true},
                                         .scope = estimator_scope::batch,
                                         .parameters = parameters,
                                         .start = {.epsilon = 1e-8}};

    static bool reads_lengths(advantage_spec const& spec) { return spec.token_weighted != 0; }

    static void batch(estimator_batch& all, advantage_spec const& spec) {
        std::copy(all.in.rewards.begin(), all.in.rewards.end(), all.value.begin());
        whiten(all, spec);
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
