// Certificates for optima of bin_packing (docs/certificates.md; the checker's side:
// tools/certificates/tasks/bin_packing.py).

#include <numeric>

#include "kernels/text/certificate.hpp"

namespace bin_packing_certificate {

std::int64_t bound(optgap::instance_fields const& instance) {
    auto const sizes = instance.list("sizes");
    auto const room = instance.number("capacity");
    return (std::accumulate(sizes.begin(), sizes.end(), std::int64_t(0)) + room - 1) / room;
}

}  // namespace bin_packing_certificate

extern optgap::certificate_form const optgap_certificate_bin_packing;
optgap::certificate_form const optgap_certificate_bin_packing{.bound = bin_packing_certificate::bound};
