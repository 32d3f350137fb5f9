#include "host/report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace optgap::rates {
namespace {

constexpr double both_tails = 0.05;

/// The middle ratio; of two the geometric mean, so that both orders of the rows give the same.
double median_of(std::vector<double> const& sorted) {
    std::size_t const half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : std::sqrt(sorted[half - 1] * sorted[half]);
}

/// For each u, the number of orders of `some` and `others` values in which u pairs have the first before the second:
/// the null distribution of Mann and Whitney's U, without its divisor. The last value of an order is one of `some`,
/// which then follows all others, or one of the others.
std::vector<double> orders_by_pairs(std::size_t some, std::size_t others) {
    using counts = std::vector<double>;
    std::vector<counts> row(others + 1, counts{1});  // for no value of `some`
    for (std::size_t m = 1; m <= some; ++m) {
        row[0] = {1};
        for (std::size_t n = 1; n <= others; ++n) {
            counts next(m * n + 1, 0.0);
            for (std::size_t u = 0; u < row[n].size(); ++u) {  // still for m - 1
                next[u + n] += row[n][u];
            }
            for (std::size_t u = 0; u < row[n - 1].size(); ++u) {
                next[u] += row[n - 1][u];
            }
            row[n] = std::move(next);
        }
    }
    return row[others];
}

/// The number of the smallest, and likewise of the largest, of all pairs' differences that lie outside the interval.
std::size_t pairs_outside(std::size_t some, std::size_t others) {
    std::vector<double> const orders = orders_by_pairs(some, others);
    double all = 0;
    for (double const count : orders) {
        all += count;
    }
    std::size_t outside = 0;
    for (double below = orders[0]; outside < orders.size() && below <= all * both_tails / 2; below += orders[outside]) {
        ++outside;
    }
    return outside;
}

/// P(|T| <= t), by its finite sum for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
double student_within(double t, int degrees) {
    double const angle = std::atan(t / std::sqrt(double(degrees)));
    double const cosine = std::cos(angle), sine = std::sin(angle);
    double sum = 0, term = degrees % 2 == 1 ? cosine : 1;
    for (int k = degrees % 2 == 1 ? 3 : 2; k <= degrees; k += 2) {
        sum += term;
        term *= cosine * cosine * double(k - 1) / double(k);
    }
    return degrees % 2 == 1 ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

std::vector<double> thinned(std::vector<double> samples, std::size_t most) {
    std::ranges::sort(samples);
    if (samples.size() <= most) {
        return samples;
    }
    std::vector<double> kept;
    for (std::size_t k = 0; k < most; ++k) {
        kept.push_back(samples[(2 * k + 1) * samples.size() / (2 * most)]);
    }
    return kept;
}

change change_of(std::span<double const> old_rates, std::span<double const> new_rates) {
    std::vector<double> const before = thinned({old_rates.begin(), old_rates.end()});
    std::vector<double> const after = thinned({new_rates.begin(), new_rates.end()});
    std::vector<double> ratios;
    for (double const old_rate : before) {
        for (double const new_rate : after) {
            ratios.push_back(new_rate / old_rate);
        }
    }
    std::ranges::sort(ratios);
    change found{median_of(ratios)};
    if (std::size_t const outside = pairs_outside(before.size(), after.size()); outside > 0) {
        found.within = bounds{ratios[outside - 1], ratios[ratios.size() - outside]};
    }
    return found;
}

change geometric_mean(std::span<double const> ratios) {
    double const rows = double(ratios.size());
    double mean = 0;
    for (double const ratio : ratios) {
        mean += std::log(ratio) / rows;
    }
    change found{std::exp(mean)};
    if (ratios.size() > 1) {
        double squares = 0;
        for (double const ratio : ratios) {
            squares += (std::log(ratio) - mean) * (std::log(ratio) - mean);
        }
        double const reach =
            student_quantile(both_tails, int(ratios.size()) - 1) * std::sqrt(squares / (rows - 1) / rows);
        found.within = bounds{std::exp(mean - reach), std::exp(mean + reach)};
    }
    return found;
}

double student_quantile(double tails, int degrees_of_freedom) {
    double low = 0, high = 1;
    while (student_within(high, degrees_of_freedom) < 1 - tails) {
        high *= 2;
    }
    for (int halving = 0; halving < 100; ++halving) {
        double const middle = (low + high) / 2;
        (student_within(middle, degrees_of_freedom) < 1 - tails ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace optgap::rates
