// How an optimum of bisection is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/bisection.py).

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t bound(optgap::instance_fields const& instance) {
    static_cast<void>(instance);
    return 0;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_bisection;
optgap::certificate_form const optgap_certificate_bisection{.bound = bound};
