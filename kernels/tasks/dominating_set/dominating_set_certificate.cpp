// Certificates for optima of dominating_set (docs/certificates.md; the checker's side:
// tools/certificates/tasks/dominating_set.py).

#include "kernels/text/certificate.hpp"

namespace dominating_set_certificate {

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    optgap::linear_model model;
    model.costs = instance.list("weights");
    model.goal = *objective;
    auto const near = optgap::joined(instance);
    for (std::int32_t v = 0; v < std::int32_t(near.size()); ++v) {
        optgap::linear_row row{optgap::row_name("about", {v}), {{v, 1}}, 1};
        for (std::int32_t u = 0; u < std::int32_t(near.size()); ++u) {
            if (near[std::size_t(v)][std::size_t(u)]) {
                row.terms.emplace_back(u, 1);
            }
        }
        model.rows.push_back(std::move(row));
    }
    return model;
}

}  // namespace dominating_set_certificate

extern optgap::certificate_form const optgap_certificate_dominating_set;
optgap::certificate_form const optgap_certificate_dominating_set{.linear = dominating_set_certificate::linear};
