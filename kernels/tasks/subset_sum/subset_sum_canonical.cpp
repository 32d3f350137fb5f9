// A common divisor of target and values does not change the problem.

#include "kernels/canonical/form.hpp"

namespace subset_sum_canonical {

static void reduce(std::vector<std::int32_t>& words) {
    std::span<std::int32_t> const all = words;
    optgap::divide_by_common({all.subspan(1, 1), all.subspan(2, std::size_t(words[0]))});
}

static std::int64_t choices(optgap::words_view instance) { return instance[0]; }

}  // namespace subset_sum_canonical

extern optgap::canonical_rules const optgap_canonical_subset_sum;
optgap::canonical_rules const optgap_canonical_subset_sum{.reduce = subset_sum_canonical::reduce,
                                                          .constrain = optgap::constraints::sum,
                                                          .choices = subset_sum_canonical::choices};
