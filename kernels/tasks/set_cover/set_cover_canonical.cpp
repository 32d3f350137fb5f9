// Constraints on a cover leave fewer sets and elements.

#include "kernels/canonical/form.hpp"

namespace set_cover_canonical {

static std::int64_t choices(optgap::words_view instance) { return instance[1]; }

}  // namespace set_cover_canonical

extern optgap::canonical_rules const optgap_canonical_set_cover;
optgap::canonical_rules const optgap_canonical_set_cover{.constrain = optgap::constraints::cover,
                                                         .choices = set_cover_canonical::choices};
