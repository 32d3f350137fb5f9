// Certificates for optima of weighted_tardiness (docs/certificates.md; the checker's side:
// tools/certificates/tasks/weighted_tardiness.py).

#include "kernels/text/certificate.hpp"

namespace weighted_tardiness_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.list("times").size());
    return optgap::power(2, n) * n;
}

}  // namespace weighted_tardiness_certificate

extern optgap::certificate_form const optgap_certificate_weighted_tardiness;
optgap::certificate_form const optgap_certificate_weighted_tardiness{.sums = weighted_tardiness_certificate::sums};
