#pragma once
// Each component standardised within its group, then added (docs/advantages.md).

#include "kernels/reward/estimator_batch.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct decoupled {
    static constexpr estimator id = estimator::decoupled;
    static constexpr parameter parameters[] = {{.name = "weights",
                                                .meaning = "of the row's components",
                                                .kind = parameter_kind::components,
                                                .at = offsetof(advantage_spec, weight)}};
    static constexpr estimator_info info{.name = "decoupled",
                                         .formula = "sum of weight * grpo(component)",
                                         .source = "optgap",
                                         .reads = {.components = true},
                                         .parameters = parameters,
                                         .start = {.weight = {0.0, 1.0, 1.0}}};

    static void batch(estimator_batch& all, advantage_spec const& spec) {
        advantage_spec const each{.form = estimator::grpo, .epsilon = spec.epsilon, .of_one = spec.of_one};
        for (std::size_t c = 0; c < component_count; ++c) {
            if (spec.weight[c] != 0.0) {
                std::span<float const> const found = all.by_group(all.in.columns[c], each);
                for (std::size_t r = 0; r < all.value.size(); ++r) {
                    all.value[r] += spec.weight[c] * double(found[r]);
                }
            }
        }
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
