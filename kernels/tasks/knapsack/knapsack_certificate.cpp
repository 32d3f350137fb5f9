// How an optimum of knapsack is shown (docs/certificates.md; the checker's side: tools/certificates/tasks/knapsack.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    auto const n = instance.list("weights").size();
    return double(n) * (std::min(double(instance.number("capacity")), optgap::subsets(n)) + 1);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_knapsack;
optgap::certificate_form const optgap_certificate_knapsack{.sums = sums};
