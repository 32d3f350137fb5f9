#pragma once
// Risk-sensitive GRPO. Exponentials are the host's alone: their last bits differ between machines.

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct rs_grpo {
    static constexpr estimator id = estimator::rs_grpo;
    static constexpr bool on_device = false;
    static constexpr parameter parameters[] = {{.name = "beta",
                                                .meaning = "how much the best rows count for more",
                                                .at = offsetof(advantage_spec, beta),
                                                .low = 1e-6,
                                                .high = largest_constant}};
    static constexpr estimator_info info{.name = "rs_grpo",
                                         .formula = "(e^(beta R) / mean e^(beta R) - 1) / beta, R the mean score",
                                         .source = "risk-sensitive GRPO",
                                         .reads = {.scores = true},
                                         .parameters = parameters};

    template <class Group>
    static void score_column(Group const& group) {
        group.impute();
    }

    template <class Group>
    static void finish(Group const& group) {
        std::span<double> const out(group.out(), std::size_t(group.count()));
        if (group.all_equal(out.data())) {
            std::fill(out.begin(), out.end(), 0.0);
            return;
        }
        double const beta = group.spec().beta;
        double const top = *std::max_element(out.begin(), out.end());
        for (double& x : out) {
            x = std::exp(beta * (x - top));
        }
        double const mean = group.mean_of(out.data());
        for (double& x : out) {
            x = (x / mean - 1.0) / beta;
        }
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
