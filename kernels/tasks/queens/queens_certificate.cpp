// Certificates for optima of queens (docs/certificates.md; the checker's side: tools/certificates/tasks/queens.py).

#include "kernels/text/certificate.hpp"

namespace queens_certificate {

std::int64_t bound(optgap::instance_fields const& instance) { return std::int64_t(instance.list("queens").size()); }

}  // namespace queens_certificate

extern optgap::certificate_form const optgap_certificate_queens;
optgap::certificate_form const optgap_certificate_queens{.bound = queens_certificate::bound};
