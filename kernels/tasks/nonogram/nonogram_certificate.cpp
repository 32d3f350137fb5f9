// Certificates for optima of nonogram (docs/certificates.md; the checker's side: tools/certificates/tasks/nonogram.py).

#include "kernels/text/certificate.hpp"

namespace nonogram_certificate {

std::int64_t bound(optgap::instance_fields const& instance) {
    return std::int64_t(instance.rows("rows").size() + instance.rows("columns").size());
}

}  // namespace nonogram_certificate

extern optgap::certificate_form const optgap_certificate_nonogram;
optgap::certificate_form const optgap_certificate_nonogram{.bound = nonogram_certificate::bound};
