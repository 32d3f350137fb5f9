// The numbers on cards only tell which two are equal: they are renumbered in the order in which they first occur.

#include "kernels/canonical/form.hpp"

namespace pairs_canonical {

static void reduce(std::vector<std::int32_t>& words) {
    std::vector<std::int32_t> name(words.size(), -1);
    std::int32_t next = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::int32_t& own = name[std::size_t(words[i])];
        own = own < 0 ? next++ : own;
        words[i] = own;
    }
}

}  // namespace pairs_canonical

extern optgap::canonical_rules const optgap_canonical_pairs;
optgap::canonical_rules const optgap_canonical_pairs{.reduce = pairs_canonical::reduce};
