// A common divisor of capacity and sizes does not change the problem.

#include "kernels/canonical/form.hpp"

namespace bin_packing_canonical {

static void reduce(std::vector<std::int32_t>& words) {
    std::span<std::int32_t> const all = words;
    optgap::divide_by_common({all.subspan(0, 1), all.subspan(2, std::size_t(words[1]))});
}

}  // namespace bin_packing_canonical

extern optgap::canonical_rules const optgap_canonical_bin_packing;
optgap::canonical_rules const optgap_canonical_bin_packing{.reduce = bin_packing_canonical::reduce};
