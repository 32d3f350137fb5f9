// How an optimum of vehicle_routing is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/vehicle_routing.py).

#include <cmath>

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    auto const n = instance.rows("points").size() - 1;
    return optgap::subsets(n) * double(n * n) / 4 + std::pow(3.0, double(n)) / 2;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_vehicle_routing;
optgap::certificate_form const optgap_certificate_vehicle_routing{.sums = sums};
