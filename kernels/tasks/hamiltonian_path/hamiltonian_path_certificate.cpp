// Certificates for optima of hamiltonian_path (docs/certificates.md; the checker's side:
// tools/certificates/tasks/hamiltonian_path.py).

#include "kernels/text/certificate.hpp"

namespace hamiltonian_path_certificate {

using optgap::numbers;

std::int64_t bound(optgap::instance_fields const& instance) {
    return std::int64_t(instance.rows("successors").size()) - 1;
}

/// A case: which vertices are in the order, the last one, and the number of steps without an arc.
std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    optgap::number_rows const successors = instance.rows("successors");
    std::size_t const n = successors.size();
    if (!objective || n > 32) {
        return most + 1;  // a case takes n cubed steps
    }
    optgap::adjacency near(n, std::vector<bool>(n));
    for (std::size_t u = 0; u < n; ++u) {
        for (std::int64_t const v : successors[u]) {
            near[u][std::size_t(v)] = true;
        }
    }
    auto const step = [&](numbers const& one, optgap::number_rows& next) {
        std::int64_t const last = one[n];
        bool done = true;
        for (std::size_t v = 0; v < n; ++v) {
            if (one[v] != 0) {
                continue;
            }
            done = false;
            numbers after = one;
            after[v] = 1;
            after[n] = std::int64_t(v);
            after[n + 1] += last >= 0 && !near[std::size_t(last)][v];
            std::int64_t lost = after[n + 1];
            for (std::size_t u = 0; u < n; ++u) {
                bool reached = after[u] != 0;
                for (std::size_t from = 0; from < n; ++from) {
                    reached = reached || ((after[from] == 0 || from == v) && near[from][u]);
                }
                lost += reached ? 0 : 1;
            }
            if (std::int64_t(n) - 1 - lost > *objective) {
                next.push_back(std::move(after));
            }
        }
        return !done;
    };
    numbers first(n + 2);
    first[n] = -1;
    return optgap::walked(first, step, most);
}

}  // namespace hamiltonian_path_certificate

extern optgap::certificate_form const optgap_certificate_hamiltonian_path;
optgap::certificate_form const optgap_certificate_hamiltonian_path{.bound = hamiltonian_path_certificate::bound,
                                                                   .cases = hamiltonian_path_certificate::cases};
