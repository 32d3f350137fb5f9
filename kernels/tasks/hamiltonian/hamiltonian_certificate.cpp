// Certificates for optima of hamiltonian (docs/certificates.md; the checker's side:
// tools/certificates/tasks/hamiltonian.py).

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t bound(optgap::instance_fields const& instance) { return instance.number("n"); }

}  // namespace

extern optgap::certificate_form const optgap_certificate_hamiltonian;
optgap::certificate_form const optgap_certificate_hamiltonian{.bound = bound};
