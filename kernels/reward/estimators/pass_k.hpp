#pragma once
// pass@k: the best row by its lead over the second.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct pass_k {
    static constexpr estimator id = estimator::pass_k;
    static constexpr estimator_info info{.name = "pass_k",
                                         .formula = "the best row (r1 - r2) / (s1 + epsilon), others 0",
                                         .source = "verl, pass@k",
                                         .start = {.of_one = lone_row::refuse}};

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const scale = group.deviation(group.mean()) + group.spec().epsilon;
        auto const best_but = [&](std::int64_t excluded) {
            ranked best{INT64_MIN, 0};
            group.team().each(group.count(), [&](std::int64_t k) {
                if (group.present(k) && k != excluded) {
                    best = larger(best, {ordered_bits(group.reward(k)), std::int32_t(k)});
                }
            });
            return std::int64_t(group.team().max_by(best.key, best.index).index);
        };
        std::int64_t const best = best_but(-1);
        double const lead = double(group.reward(best)) - double(group.reward(best_but(best)));
        group.write([&](std::int64_t k, double) { return k == best ? lead / scale : 0.0; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
