#pragma once
// Changes of rates, with their bounds. Nothing here draws random numbers, so the same samples give the same answer.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace optgap::rates {

/// The number of samples that stand for all of a row's in a comparison and in results that are kept.
inline constexpr std::size_t kept_samples = 15;

/// At most `most` samples that are distributed like all of them: their mid-quantiles, in rising order. Where there are
/// no more than `most`, all are kept.
std::vector<double> thinned(std::vector<double> samples, std::size_t most = kept_samples);

struct bounds {
    double least = 0;
    double most = 0;
};

/// A ratio above 1: the new rates are higher.
struct change {
    double ratio = 1;
    std::optional<bounds> within = {};  ///< at 95 %; none where there are too few samples
};

/// The change between two rows' rates, for any distributions: the median of the ratios of all pairs (Hodges and
/// Lehmann), and the ratios that an exact two-sided Mann-Whitney test at 5 % does not reject. Needs four samples on
/// either side for bounds, and one for a ratio; all must be positive. More than `kept_samples` are thinned first.
change change_of(std::span<double const> old_rates, std::span<double const> new_rates);

/// The common change of several rows: the geometric mean of their ratios, within Student's bounds for the mean of their
/// logarithms. One row has no bounds.
change geometric_mean(std::span<double const> ratios);

/// The t whose two tails, beyond -t and t, hold `both_tails` of Student's distribution.
double student_quantile(double both_tails, int degrees_of_freedom);

}  // namespace optgap::rates
