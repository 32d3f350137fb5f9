// Constraints on a clique leave a smaller graph.

#include "kernels/canonical/form.hpp"

namespace clique_canonical {

static std::int64_t choices(optgap::words_view instance) { return instance[0]; }

}  // namespace clique_canonical

extern optgap::canonical_rules const optgap_canonical_clique;
optgap::canonical_rules const optgap_canonical_clique{.constrain = optgap::constraints::clique,
                                                      .choices = clique_canonical::choices};
