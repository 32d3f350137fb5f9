// Certificates for optima of orienteering (docs/certificates.md; the checker's side:
// tools/certificates/tasks/orienteering.py).

#include "kernels/text/certificate.hpp"

namespace orienteering_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.rows("points").size());
    return optgap::power(2, n - 1) * n * n / 4;
}

}  // namespace orienteering_certificate

extern optgap::certificate_form const optgap_certificate_orienteering;
optgap::certificate_form const optgap_certificate_orienteering{.sums = orienteering_certificate::sums};
