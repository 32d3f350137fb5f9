// Certificates for optima of clique (docs/certificates.md; the checker's side: tools/certificates/tasks/clique.py).

#include "kernels/text/certificate.hpp"

namespace {

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    optgap::linear_model model;
    model.costs.assign(std::size_t(instance.number("n")), -1);
    model.goal = -*objective;
    for (auto const& set : optgap::cliques_of_edges(optgap::not_joined(instance))) {
        optgap::linear_row row{optgap::row_name("apart", set), {}, -1};
        for (std::int32_t const v : set) {
            row.terms.emplace_back(v, -1);
        }
        model.rows.push_back(std::move(row));
    }
    return model;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_clique;
optgap::certificate_form const optgap_certificate_clique{.linear = linear};
