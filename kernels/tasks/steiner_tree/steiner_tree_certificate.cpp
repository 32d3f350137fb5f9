// How an optimum of steiner_tree is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/steiner_tree.py).

#include <cmath>

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    double const n = double(instance.number("n"));
    auto const rest = instance.list("terminals").size() - 1;
    return n * n * n + std::pow(3.0, double(rest)) * n / 2 + optgap::subsets(rest) * n * n;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_steiner_tree;
optgap::certificate_form const optgap_certificate_steiner_tree{.sums = sums};
