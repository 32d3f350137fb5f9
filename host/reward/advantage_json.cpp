// Advantage specs as text, by the estimators' declarations.

#include <algorithm>

#include "host/reward/parameters_json.hpp"
#include "kernels/reward/added.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr char const* lone_rows[] = {"zero", "as_is", "refuse"};
constexpr parameter parameters_of_all[] = {{.name = "epsilon",
                                            .meaning = "added to a standard deviation, to a variance in whitening",
                                            .at = offsetof(advantage_spec, epsilon),
                                            .high = 1.0},
                                           {.name = "of_one",
                                            .meaning = "what a group of one row gets",
                                            .kind = parameter_kind::choice,
                                            .at = offsetof(advantage_spec, of_one),
                                            .choices = lone_rows}};
constexpr char const* scopes[] = {"group", "cohort", "batch"};

advantage_spec with_form(advantage_spec spec, estimator form) {
    spec.form = form;
    return spec;
}

/// The spec that a name of an estimator or of a trainer's constants stands for.
advantage_spec advantage_named(json const& name) {
    std::string all;
    for (estimator_entry const* const each : known_estimators()) {
        if (name == each->info->name) {
            return with_form(each->info->start, each->form);
        }
        for (estimator_preset const& preset : each->info->presets) {
            if (name == preset.name) {
                return with_form(preset.spec, each->form);
            }
        }
        all += (all.empty() ? "" : ", ") + std::string(each->info->name);
    }
    refuse("advantage.estimator: " + name.dump() + " is not one of " + all);
}

[[noreturn]] void refuse_advantage_field(std::string const& field) {
    std::vector<std::string> owners;
    std::vector<std::string> known{"estimator", "epsilon", "of_one"};
    for (estimator_entry const* const each : known_estimators()) {
        for (parameter const& own : each->info->parameters) {
            if (own.name == field) {
                owners.emplace_back(each->info->name);
            }
            if (std::ranges::find(known, own.name) == known.end()) {
                known.emplace_back(own.name);
            }
        }
    }
    refuse("advantage." + field +
           (owners.empty() ? " is not known: expected one of " + joined_names(known)
                           : " belongs to " + joined_names(owners)));
}

}  // namespace

advantage_spec parse_advantage_spec(std::string_view text) {
    json const object = read_object(text, "advantage", "estimator");
    advantage_spec spec = object.contains("estimator") ? advantage_named(object["estimator"]) : advantage_spec{};
    estimator_info const& info = *estimator_of(spec.form).info;
    for (auto const& [field, value] : object.items()) {
        if (field == "estimator") {
            continue;
        }
        parameter const* by = parameter_named(parameters_of_all, field);
        by = by != nullptr ? by : parameter_named(info.parameters, field);
        if (by == nullptr) {
            refuse_advantage_field(field);
        }
        read_parameter(value, "advantage." + field, *by, &spec);
    }
    return spec;
}

std::string to_json(advantage_spec const& spec) {
    estimator_info const& info = *estimator_of(spec.form).info;
    json out{{"estimator", info.name}};
    for (parameter const& each : parameters_of_all) {
        out[each.name] = parameter_value(each, &spec);
    }
    for (parameter const& each : info.parameters) {
        out[each.name] = parameter_value(each, &spec);
    }
    return out.dump();
}

std::string describe_estimators() {
    json out = json::array();
    for (estimator_entry const* const each : known_estimators()) {
        estimator_info const& info = *each->info;
        json reads = json::array();
        for (auto const& [name, read] :
             {std::pair("rewards", !info.reads.scores), std::pair("scores", info.reads.scores),
              std::pair("components", info.reads.components), std::pair("lengths", info.reads.lengths),
              std::pair("cohort", info.reads.cohort)}) {
            if (read) {
                reads.push_back(name);
            }
        }
        json parameters = json::array();
        for (std::span<parameter const> const part : {std::span<parameter const>(parameters_of_all), info.parameters}) {
            for (parameter const& one : part) {
                json made = parameter_json(one);
                made["default"] = parameter_value(one, &info.start);
                parameters.push_back(std::move(made));
            }
        }
        json presets = json::object();
        for (estimator_preset const& preset : info.presets) {
            presets[preset.name] = json::parse(to_json(with_form(preset.spec, each->form)));
        }
        out.push_back({{"name", info.name},
                       {"formula", info.formula},
                       {"source", info.source},
                       {"scope", scopes[std::size_t(info.scope)]},
                       {"reads", reads},
                       {"device", each->on_device},
                       {"needs_validity", info.needs_validity},
                       {"parameters", parameters},
                       {"presets", presets}});
    }
    return out.dump();
}

}  // namespace optgap
