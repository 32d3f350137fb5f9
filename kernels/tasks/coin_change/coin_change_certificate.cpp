// Certificates for optima of coin_change (docs/certificates.md; the checker's side:
// tools/certificates/tasks/coin_change.py).

#include "kernels/text/certificate.hpp"

namespace coin_change_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    return std::int64_t(instance.list("coins").size()) * instance.number("amount");
}

}  // namespace coin_change_certificate

extern optgap::certificate_form const optgap_certificate_coin_change;
optgap::certificate_form const optgap_certificate_coin_change{.sums = coin_change_certificate::sums};
