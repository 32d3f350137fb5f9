// Certificates for optima of vertex_cover (docs/certificates.md; the checker's side:
// tools/certificates/tasks/vertex_cover.py).

#include "kernels/text/certificate.hpp"

namespace vertex_cover_certificate {

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    optgap::linear_model model;
    model.costs = instance.list("weights");
    model.goal = *objective;
    for (auto const& set : optgap::cliques_of_edges(optgap::joined(instance))) {
        optgap::linear_row row{optgap::row_name("clique", set), {}, std::int64_t(set.size()) - 1};
        for (std::int32_t const v : set) {
            row.terms.emplace_back(v, 1);
        }
        model.rows.push_back(std::move(row));
    }
    return model;
}

}  // namespace vertex_cover_certificate

extern optgap::certificate_form const optgap_certificate_vertex_cover;
optgap::certificate_form const optgap_certificate_vertex_cover{.linear = vertex_cover_certificate::linear};
