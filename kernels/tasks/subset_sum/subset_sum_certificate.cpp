// Certificates for optima of subset_sum (docs/certificates.md; the checker's side:
// tools/certificates/tasks/subset_sum.py).

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t sums(optgap::instance_fields const& instance) {
    return std::int64_t(instance.list("values").size()) * (instance.number("target") + 1);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_subset_sum;
optgap::certificate_form const optgap_certificate_subset_sum{.sums = sums};
