// How an optimum of subset_sum is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/subset_sum.py).

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    return double(instance.list("values").size()) * (double(instance.number("target")) + 1);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_subset_sum;
optgap::certificate_form const optgap_certificate_subset_sum{.sums = sums};
