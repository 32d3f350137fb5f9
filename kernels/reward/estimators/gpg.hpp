#pragma once
// GPG: rewards less their mean, scaled up by the share of the batch that has a reward other than 0.

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct gpg {
    static constexpr estimator id = estimator::gpg;
    static constexpr estimator_info info{.name = "gpg",
                                         .formula = "a (r - m), a = rows / max(rows with a reward other than 0, 1)",
                                         .source = "GPG, verl",
                                         .scope = estimator_scope::batch,
                                         .start = {.of_one = lone_row::as_is}};

    /// a
    static double constant(std::span<float const> rewards, advantage_spec const&) {
        std::int64_t rows = 0;
        std::int64_t nonzero = 0;
        for (float const r : rewards) {
            rows += std::isnan(r) ? 0 : 1;
            nonzero += !std::isnan(r) && r != 0.0f ? 1 : 0;
        }
        return double(rows) / double(std::max<std::int64_t>(nonzero, 1));
    }

    OPTGAP_HD static double lone(double reward, group_rule const& rule) { return reward * rule.batch; }

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const mean = group.mean();
        double const factor = group.batch();
        group.write([&](std::int64_t, double r) { return (r - mean) * factor; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
