// Constraints on an independent set leave a smaller graph.

#include "kernels/canonical/form.hpp"

extern optgap::canonical_rules const optgap_canonical_independent_set;
optgap::canonical_rules const optgap_canonical_independent_set{.constrain = optgap::constraints::independent};
