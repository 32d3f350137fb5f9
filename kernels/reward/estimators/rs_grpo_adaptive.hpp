#pragma once
// Risk-sensitive GRPO whose beta the group chooses. Exponentials are the host's alone.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct rs_grpo_adaptive {
    static constexpr estimator id = estimator::rs_grpo_adaptive;
    static constexpr bool on_device = false;
    static constexpr estimator_info info{
        .name = "rs_grpo_adaptive",
        .formula = "e^(beta R) / mean of the others' - 1, beta where KL(softmax(beta R) || uniform) = ln 2",
        .source = "risk-sensitive GRPO",
        .reads = {.scores = true}};
    static constexpr double largest_beta = 1e6;
    static constexpr double min_rest = 1e-6;  ///< of the others' mean weight: a group of two has no finite beta

    template <class Group>
    static void score_column(Group const& group) {
        group.impute();
    }

    template <class Group>
    static void finish(Group const& group) {
        std::span<double> const out(group.out(), std::size_t(group.count()));
        std::span<double> const weight(group.other(), out.size());
        if (group.all_equal(out.data())) {
            std::fill(out.begin(), out.end(), 0.0);
            return;
        }
        double const top = *std::max_element(out.begin(), out.end());
        double low = 0.0;
        double high = 1.0;
        double const target = std::log(2.0);
        while (high < largest_beta && divergence(out, high, top, weight) < target) {
            low = high;
            high *= 2.0;
        }
        if (high >= largest_beta) {
            low = high = largest_beta;
        }
        for (int i = 0; i < 60 && low < high; ++i) {
            double const middle = (low + high) / 2.0;
            (divergence(out, middle, top, weight) < target ? low : high) = middle;
        }
        divergence(out, high, top, weight);
        double const sum = std::accumulate(weight.begin(), weight.end(), 0.0);
        auto const others = double(out.size() - 1);
        for (std::size_t k = 0; k < out.size(); ++k) {
            double const rest = std::max((sum - weight[k]) / others, min_rest);
            out[k] = weight[k] / rest - 1.0;
        }
    }

private:
    /// KL(softmax(beta R) || uniform), with the exponentials left in `weight`.
    static double divergence(std::span<double const> scores, double beta, double top, std::span<double> weight) {
        double sum = 0.0;
        for (std::size_t k = 0; k < scores.size(); ++k) {
            weight[k] = std::exp(beta * (scores[k] - top));
            sum += weight[k];
        }
        double kl = std::log(double(scores.size()));
        for (double const e : weight) {
            double const p = e / sum;
            kl += p > 0.0 ? p * std::log(p) : 0.0;
        }
        return kl;
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
