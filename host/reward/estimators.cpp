// Estimators of this build, and what is asked about them. Part of the CUDA library, too: no JSON here.

#include <algorithm>
#include <string>
#include <string_view>

#include "kernels/reward/added.hpp"
#include "kernels/reward/estimator.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

/// Never freed: specs name its entries as long as the process runs.
auto& added_estimators() {
    static auto* const all = new added_entries<estimator, estimator_entry, &estimator_entry::form>;
    return *all;
}

}  // namespace

estimator add_estimator(estimator_entry entry) { return added_estimators().add(entry); }

bool is_estimator_name(std::string_view name) {
    return std::ranges::any_of(known_estimators(), [&](estimator_entry const* known) {
        return name == known->info->name ||
               std::ranges::any_of(known->info->presets,
                                   [&](estimator_preset const& each) { return name == each.name; });
    });
}

std::vector<estimator_entry const*> known_estimators() {
    std::vector<estimator_entry const*> out;
    for (estimator_entry const& each : listed_estimators()) {
        out.push_back(&each);
    }
    added_estimators().append_to(out);
    return out;
}

estimator_entry const& estimator_of(estimator form) {
    auto const all = listed_estimators();
    auto const found = std::ranges::find(all, form, &estimator_entry::form);
    if (found != all.end()) {
        return *found;
    }
    if (estimator_entry const* const added = added_estimators().find(form)) {
        return *added;
    }
    misuse("advantage.form: " + std::to_string(std::int32_t(form)) + " is no estimator of this build");
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
