// How an optimum of max_cut is shown (docs/certificates.md; the checker's side: tools/certificates/tasks/max_cut.py).

#include "kernels/text/certificate.hpp"

namespace {

std::int64_t bound(optgap::instance_fields const& instance) {
    std::int64_t all = 0;
    for (auto const& edge : instance.rows("edges")) {
        all += edge[2];
    }
    return all;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_max_cut;
optgap::certificate_form const optgap_certificate_max_cut{.bound = bound};
