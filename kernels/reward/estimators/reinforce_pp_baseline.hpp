#pragma once
// REINFORCE++ baseline: rewards less the mean of their group, whitened over the batch.

#include "kernels/reward/estimator_batch.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct reinforce_pp_baseline {
    static constexpr estimator id = estimator::reinforce_pp_baseline;
    static constexpr parameter parameters[] = {weighting_parameter};
    static constexpr estimator_info info{.name = "reinforce_pp_baseline",
                                         .formula = "r - m, whitened over the batch",
                                         .source = "REINFORCE++ baseline",
                                         .reads = {.lengths = true},
                                         .scope = estimator_scope::batch,
                                         .parameters = parameters,
                                         .start = {.epsilon = 1e-8}};

    static bool reads_lengths(advantage_spec const& spec) { return spec.token_weighted != 0; }

    static void batch(estimator_batch& all, advantage_spec const& spec) {
        std::span<float const> const rewards = all.in.rewards;
        all.each_group(all.in.group, [&](std::span<std::int64_t const> rows) {
            bool const constant = equal_rewards(rewards, rows);
            double const mean =
                rows.empty() ? 0.0
                             : sum_over(rows, [&](std::size_t r) { return double(rewards[r]); }) / double(rows.size());
            for (std::int64_t const r : rows) {
                all.value[std::size_t(r)] = constant ? 0.0 : double(rewards[std::size_t(r)]) - mean;
            }
        });
        whiten(all, spec);
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
