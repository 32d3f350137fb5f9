// Changes that do not change the problem: division by a common divisor of weights and capacity, or of values, and
// removal of room that no items can fill.

#include <algorithm>
#include <numeric>

#include "kernels/canonical/form.hpp"

namespace knapsack_canonical {

static void reduce(std::vector<std::int32_t>& words) {
    std::span<std::int32_t> const all = words;
    std::size_t const n = std::size_t(words[0]);
    std::span<std::int32_t> const weights = all.subspan(2, n), values = all.subspan(2 + n, n);
    std::int64_t const whole = std::accumulate(weights.begin(), weights.end(), std::int64_t(0));
    words[1] = std::int32_t(std::min<std::int64_t>(words[1], whole));
    optgap::divide_by_common({all.subspan(1, 1), weights});
    optgap::divide_by_common({values});
}

}  // namespace knapsack_canonical

extern optgap::canonical_rules const optgap_canonical_knapsack;
optgap::canonical_rules const optgap_canonical_knapsack{.reduce = knapsack_canonical::reduce,
                                                        .constrain = optgap::constraints::knapsack};
