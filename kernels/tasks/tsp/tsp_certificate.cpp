// Certificates for optima of tsp (docs/certificates.md; the checker's side: tools/certificates/tasks/tsp.py).

#include "kernels/text/certificate.hpp"

namespace {

/// Points are excluded, because their JSON may contain fractions, which the checker does not read.
optgap::number_rows distances(optgap::instance_fields const& instance) {
    return instance.has("distances") ? instance.rows("distances") : optgap::number_rows{};
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_tsp;
optgap::certificate_form const optgap_certificate_tsp{.distances = distances};
