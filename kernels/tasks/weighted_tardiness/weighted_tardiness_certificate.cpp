// How an optimum of weighted_tardiness is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/weighted_tardiness.py).

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    auto const n = instance.list("times").size();
    return optgap::subsets(n) * double(n);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_weighted_tardiness;
optgap::certificate_form const optgap_certificate_weighted_tardiness{.sums = sums};
