// Estimators of this build, and what is asked about them. Part of the CUDA library, too: no JSON here.

#include <algorithm>
#include <string>
#include <string_view>

#include "kernels/reward/estimator.hpp"
#include "optgap/status.hpp"

namespace optgap {

estimator_entry const& estimator_of(estimator form) {
    auto const all = listed_estimators();
    auto const found = std::ranges::find(all, form, &estimator_entry::form);
    if (found == all.end()) {
        misuse("advantage.form: " + std::to_string(std::int32_t(form)) + " is no estimator of this build");
    }
    return *found;
}

bool whitens(estimator form) {
    return std::ranges::any_of(estimator_of(form).info->parameters, [](parameter const& each) {
        return each.at == offsetof(advantage_spec, token_weighted);
    });
}

bool reads_lengths(advantage_spec const& spec) { return estimator_of(spec.form).reads_lengths(spec); }

bool ranks_scores(estimator form) { return estimator_of(form).info->reads.scores; }

bool counts_ranks(estimator form) {
    estimator_entry const& entry = estimator_of(form);
    return entry.scores != nullptr && entry.on_device;
}

bool reads_cohorts(estimator form) { return estimator_of(form).info->reads.cohort; }

bool reads_component(advantage_spec const& spec, reward_component which) {
    estimator_info const& info = *estimator_of(spec.form).info;
    bool const weights = std::ranges::any_of(
        info.parameters, [](parameter const& each) { return each.kind == parameter_kind::components; });
    return info.reads.components && (!weights || spec.weight[which] != 0.0);
}

}  // namespace optgap
