// Kinds, each with its rate and its prices by level.

#include "kernels/canonical/form.hpp"

namespace apples_canonical {

static void list(optgap::words_view instance, optgap::canonical::structure& out) {
    std::int32_t const kinds = instance[2], levels = instance[3];
    out.say({instance[0], instance[1], levels});
    out.add_nodes(0, kinds);
    std::vector<std::int32_t> words;
    for (std::int32_t k = 0; k < kinds; ++k) {
        words.clear();
        for (std::int64_t row = 0; row < 1 + 2 * std::int64_t(levels); ++row) {  // rates, then both parts of prices
            words.push_back(instance[4 + row * kinds + k]);
        }
        out.say_of(k, words);
    }
}

}  // namespace apples_canonical

extern optgap::canonical_rules const optgap_canonical_apples;
optgap::canonical_rules const optgap_canonical_apples{.list = apples_canonical::list};
