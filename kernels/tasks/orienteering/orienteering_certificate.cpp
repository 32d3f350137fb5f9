// How an optimum of orienteering is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/orienteering.py).

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    auto const n = instance.rows("points").size();
    return optgap::subsets(n - 1) * double(n * n) / 4;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_orienteering;
optgap::certificate_form const optgap_certificate_orienteering{.sums = sums};
