#pragma once

#include <cstdint>
#include <vector>

namespace optgap {

/// Chance that one of k of these rows, drawn without replacement, passed: 1 - C(rows - passed, k) / C(rows, k), for
/// 1 <= k <= rows. The unbiased estimator of Chen et al. 2021 (arXiv 2107.03374, equation 1).
double pass_at(std::int64_t rows, std::int64_t passed, std::int64_t k);
/// Expected maximum of k of the values, drawn without replacement, 1 <= k <= size.
double best_of(std::vector<double> values, std::int64_t k);

struct share_interval {
    double low = 0, high = 1;
};

/// Wilson's score interval of a share of `rows`, `z` standard errors wide to each side: 1.96 for 95 %. The whole of
/// 0 to 1 where there are no rows.
share_interval wilson_interval(double share, double rows, double z);

}  // namespace optgap
