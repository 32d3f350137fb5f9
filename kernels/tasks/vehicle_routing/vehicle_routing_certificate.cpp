// Certificates for optima of vehicle_routing (docs/certificates.md; the checker's side:
// tools/certificates/tasks/vehicle_routing.py).

#include "kernels/text/certificate.hpp"

namespace vehicle_routing_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.list("demands").size()) - 1;
    return optgap::power(2, n) * n * n / 4 + optgap::power(3, n) / 2;
}

}  // namespace vehicle_routing_certificate

extern optgap::certificate_form const optgap_certificate_vehicle_routing;
optgap::certificate_form const optgap_certificate_vehicle_routing{.sums = vehicle_routing_certificate::sums};
