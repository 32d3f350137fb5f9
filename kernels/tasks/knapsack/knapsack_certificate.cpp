// Certificates for optima of knapsack (docs/certificates.md; the checker's side: tools/certificates/tasks/knapsack.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.list("weights").size());
    return n * (std::min(instance.number("capacity"), optgap::power(2, n)) + 1);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_knapsack;
optgap::certificate_form const optgap_certificate_knapsack{.sums = sums};
