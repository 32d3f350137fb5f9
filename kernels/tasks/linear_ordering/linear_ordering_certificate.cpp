// How an optimum of linear_ordering is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/linear_ordering.py).

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.rows("matrix").size());
    return optgap::power(2, n) * n;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_linear_ordering;
optgap::certificate_form const optgap_certificate_linear_ordering{.sums = sums};
