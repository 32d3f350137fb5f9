#pragma once
// NeMo-RL: mean and standard deviation of the others.

#include "kernels/reward/reward_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct leave_one_out {
    static constexpr estimator id = estimator::leave_one_out;
    static constexpr estimator_preset presets[] = {{"grpo_nemo", {}}};
    static constexpr estimator_info info{
        .name = "leave_one_out",
        .formula = "mean and s1 of the others; divided by s1 + epsilon only where s1 > 0",
        .source = "NeMo-RL",
        .presets = presets};

    template <class Group>
    OPTGAP_HD static void advantages(Group const& group) {
        auto& team = group.team();
        double const n = double(group.rows());
        double const mean = group.mean();
        double const squares = group.squares(mean);
        // The others of a row are all equal when it alone differs from the rest, and in a group of two.
        float const one = group.reward(group.first());
        std::int64_t my_second = INT64_MAX;
        team.each(group.count(), [&](std::int64_t k) {
            my_second = group.present(k) && group.reward(k) != one && k < my_second ? k : my_second;
        });
        float const other = group.reward(team.min_by(my_second, 0).key);
        std::int64_t my_thirds = 0;
        team.each(group.count(), [&](std::int64_t k) {
            my_thirds += group.present(k) && group.reward(k) != one && group.reward(k) != other ? 1 : 0;
        });
        bool const two_values = team.sum(my_thirds) == 0;
        group.write([&](std::int64_t k, double r) {
            double const d = r - mean;
            std::int64_t const alike = group.reward(k) == one ? group.rows() - group.others() : group.others();
            double const apart = d * n / (n - 1.0);
            double const left = squares - d * apart;
            bool const vary = group.rows() > 2 && !(two_values && alike == 1) && left > 0.0;
            return vary ? apart / (sqrt(left / (n - 2.0)) + group.spec().epsilon) : apart;
        });
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
