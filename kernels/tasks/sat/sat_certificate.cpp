// Certificates for optima of sat (docs/certificates.md; the checker's side: tools/certificates/tasks/sat.py).

#include "kernels/text/certificate.hpp"

namespace sat_certificate {

std::int64_t bound(optgap::instance_fields const& instance) { return std::int64_t(instance.rows("clauses").size()); }

}  // namespace sat_certificate

extern optgap::certificate_form const optgap_certificate_sat;
optgap::certificate_form const optgap_certificate_sat{.bound = sat_certificate::bound};
