// Vertices of equal colour become one vertex, vertices of different colours are joined.

#include "kernels/canonical/form.hpp"

extern optgap::canonical_rules const optgap_canonical_coloring;
optgap::canonical_rules const optgap_canonical_coloring{.constrain = optgap::constraints::colours};
