// A common divisor of coins and amount does not change the problem.

#include "kernels/canonical/form.hpp"

namespace coin_change_canonical {

static void reduce(std::vector<std::int32_t>& words) {
    std::span<std::int32_t> const all = words;
    std::size_t const kinds = std::size_t(words[0]);
    optgap::divide_by_common({all.subspan(1, kinds), all.subspan(1 + kinds, 1)});
}

}  // namespace coin_change_canonical

extern optgap::canonical_rules const optgap_canonical_coin_change;
optgap::canonical_rules const optgap_canonical_coin_change{.reduce = coin_change_canonical::reduce};
