// Certificates for optima of futoshiki (docs/certificates.md; the checker's side:
// tools/certificates/tasks/futoshiki.py).

#include "kernels/text/certificate.hpp"

namespace futoshiki_certificate {

std::int64_t bound(optgap::instance_fields const& instance) {
    return 2 * std::int64_t(instance.rows("grid").size()) + std::int64_t(instance.rows("less").size());
}

}  // namespace futoshiki_certificate

extern optgap::certificate_form const optgap_certificate_futoshiki;
optgap::certificate_form const optgap_certificate_futoshiki{.bound = futoshiki_certificate::bound};
