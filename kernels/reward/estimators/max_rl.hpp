#pragma once
// MaxRL: rewards less their mean, as shares of it.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct max_rl {
    static constexpr estimator id = estimator::max_rl;
    static constexpr estimator_info info{
        .name = "max_rl", .formula = "(r - m) / m, 0 where m <= 0", .source = "prime-rl"};

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const mean = group.mean();
        group.write([&](std::int64_t, double r) { return mean > 0.0 ? (r - mean) / mean : 0.0; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
