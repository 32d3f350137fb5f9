// How an optimum of linear_ordering is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/linear_ordering.py).

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    auto const n = instance.rows("matrix").size();
    return optgap::subsets(n) * double(n);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_linear_ordering;
optgap::certificate_form const optgap_certificate_linear_ordering{.sums = sums};
