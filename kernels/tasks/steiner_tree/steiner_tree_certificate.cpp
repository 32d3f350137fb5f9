// Certificates for optima of steiner_tree (docs/certificates.md; the checker's side:
// tools/certificates/tasks/steiner_tree.py).

#include "kernels/text/certificate.hpp"

namespace steiner_tree_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    std::int64_t const n = instance.number("n");
    auto const rest = std::int64_t(instance.list("terminals").size()) - 1;
    return n * n * n + optgap::power(3, rest) * n / 2 + optgap::power(2, rest) * n * n;
}

}  // namespace steiner_tree_certificate

extern optgap::certificate_form const optgap_certificate_steiner_tree;
optgap::certificate_form const optgap_certificate_steiner_tree{.sums = steiner_tree_certificate::sums};
