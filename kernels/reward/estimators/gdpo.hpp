#pragma once
// GDPO: components standardised within their group and added, then whitened over the batch.

#include "kernels/reward/estimator_batch.hpp"
#include "kernels/reward/estimators/decoupled.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct gdpo {
    static constexpr estimator id = estimator::gdpo;
    static constexpr parameter parameters[] = {decoupled::parameters[0], weighting_parameter};
    static constexpr estimator_info info{.name = "gdpo",
                                         .formula = "decoupled, whitened over the batch",
                                         .source = "GDPO",
                                         .reads = {.lengths = true, .components = true},
                                         .scope = estimator_scope::batch,
                                         .parameters = parameters,
                                         .start = decoupled::info.start};

    static bool reads_lengths(advantage_spec const& spec) { return spec.token_weighted != 0; }

    static void batch(estimator_batch& all, advantage_spec const& spec) {
        decoupled::batch(all, spec);
        whiten(all, spec);
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
