// Certificates for optima of partition (docs/certificates.md; the checker's side:
// tools/certificates/tasks/partition.py).

#include <algorithm>
#include <numeric>

#include "kernels/text/certificate.hpp"

namespace partition_certificate {

std::int64_t bound(optgap::instance_fields const& instance) {
    auto const values = instance.list("values");
    auto const k = instance.number("k");
    auto const share = (std::accumulate(values.begin(), values.end(), std::int64_t(0)) + k - 1) / k;
    return std::max(share, *std::max_element(values.begin(), values.end()));
}

}  // namespace partition_certificate

extern optgap::certificate_form const optgap_certificate_partition;
optgap::certificate_form const optgap_certificate_partition{.bound = partition_certificate::bound};
