#pragma once
// Task-relative REINFORCE++: rewards whitened over the rows of the same cohort, by default the task.

#include <algorithm>

#include "kernels/reward/estimator_batch.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct task_reinforce_pp {
    static constexpr estimator id = estimator::task_reinforce_pp;
    static constexpr parameter parameters[] = {weighting_parameter};
    static constexpr estimator_info info{.name = "task_reinforce_pp",
                                         .formula = "r, whitened over the rows of the same cohort",
                                         .source = "Absolute Zero, Multi-Agent Evolve",
                                         .reads = {.lengths = true, .cohort = true},
                                         .scope = estimator_scope::cohort,
                                         .parameters = parameters,
                                         .start = {.epsilon = 1e-8}};

    static bool reads_lengths(advantage_spec const& spec) { return spec.token_weighted != 0; }

    static void batch(estimator_batch& all, advantage_spec const& spec) {
        std::copy(all.in.rewards.begin(), all.in.rewards.end(), all.value.begin());
        all.each_group(all.in.cohort, [&](std::span<std::int64_t const> rows) { whiten(all, spec, rows); });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
