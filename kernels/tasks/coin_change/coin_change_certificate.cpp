// How an optimum of coin_change is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/coin_change.py).

#include "kernels/text/certificate.hpp"

namespace {

double sums(optgap::instance_fields const& instance) {
    return double(instance.list("coins").size()) * double(instance.number("amount"));
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_coin_change;
optgap::certificate_form const optgap_certificate_coin_change{.sums = sums};
