// Certificates for optima of set_cover (docs/certificates.md; the checker's side:
// tools/certificates/tasks/set_cover.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace {

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    optgap::linear_model model;
    auto const sets = instance.rows("sets");
    model.costs.assign(sets.size(), objective ? 1 : 0);
    if (objective && instance.has("costs")) {
        model.costs = instance.list("costs");
    }
    model.goal = objective.value_or(1);
    for (std::int32_t e = 0; e < std::int32_t(instance.number("universe")); ++e) {
        optgap::linear_row row{optgap::row_name("holding", {e}), {}, 1};
        for (std::size_t s = 0; s < sets.size(); ++s) {
            if (std::find(sets[s].begin(), sets[s].end(), e) != sets[s].end()) {
                row.terms.emplace_back(std::int32_t(s), 1);
            }
        }
        model.rows.push_back(std::move(row));
    }
    return model;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_set_cover;
optgap::certificate_form const optgap_certificate_set_cover{.linear = linear};
