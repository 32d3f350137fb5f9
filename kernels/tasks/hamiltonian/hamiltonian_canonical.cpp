// Vertices and edges that a cycle must not use leave a smaller graph.

#include "kernels/canonical/form.hpp"

extern optgap::canonical_rules const optgap_canonical_hamiltonian;
optgap::canonical_rules const optgap_canonical_hamiltonian{.constrain = optgap::constraints::cycle};
