#pragma once
// An estimator of a user's own: rewards standardised, with something added to the standard deviation.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct softened {
    static constexpr parameter parameters[] = {
        own_number<advantage_spec>("softness", 0, 0.0, 10.0, "added to the standard deviation")};
    static constexpr estimator_info info{.name = "softened",
                                         .formula = "(r - m) / (s1 + softness)",
                                         .source = "an example",
                                         .parameters = parameters,
                                         .start = {.own = {0.5}}};

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        double const mean = group.mean();
        double const scale = group.deviation(mean) + group.spec().own[0];
        group.write([&](std::int64_t, double r) { return (r - mean) / scale; });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
