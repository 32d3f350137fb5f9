// Certificates for optima of k_center (docs/certificates.md; the checker's side: tools/certificates/tasks/k_center.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace k_center_certificate {

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    optgap::linear_model model;
    auto const n = std::size_t(instance.number("n"));
    optgap::number_rows ways(n, optgap::numbers(n, std::int64_t(1) << 50));
    for (std::size_t v = 0; v < n; ++v) {
        ways[v][v] = 0;
    }
    for (auto const& edge : instance.rows("edges")) {
        ways[std::size_t(edge[0])][std::size_t(edge[1])] = ways[std::size_t(edge[1])][std::size_t(edge[0])] = edge[2];
    }
    for (std::size_t by = 0; by < n; ++by) {
        for (std::size_t u = 0; u < n; ++u) {
            for (std::size_t v = 0; v < n; ++v) {
                ways[u][v] = std::min(ways[u][v], ways[u][by] + ways[by][v]);
            }
        }
    }
    model.costs.assign(n, 1);
    model.goal = instance.number("k") + 1;
    for (std::size_t v = 0; v < n; ++v) {
        optgap::linear_row row{optgap::row_name("within", {std::int32_t(v)}), {}, 1};
        for (std::size_t u = 0; u < n; ++u) {
            if (ways[v][u] < *objective) {
                row.terms.emplace_back(std::int32_t(u), 1);
            }
        }
        model.rows.push_back(std::move(row));
    }
    return model;
}

}  // namespace k_center_certificate

extern optgap::certificate_form const optgap_certificate_k_center;
optgap::certificate_form const optgap_certificate_k_center{.linear = k_center_certificate::linear};
