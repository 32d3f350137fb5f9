#include "host/reward/parameters_json.hpp"

#include <algorithm>
#include <cstring>

namespace optgap {

using namespace spec_json;

namespace {

template <class Value>
void put_value(parameter const& by, void* spec, Value value, std::size_t index = 0) {
    std::memcpy(static_cast<char*>(spec) + by.at + index * sizeof value, &value, sizeof value);
}
template <class Value>
Value get_value(parameter const& of, void const* spec, std::size_t index = 0) {
    Value value;
    std::memcpy(&value, static_cast<char const*>(spec) + of.at + index * sizeof value, sizeof value);
    return value;
}

std::int32_t choice_named(json const& value, std::string const& field, std::span<char const* const> names) {
    std::string all;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (value == names[k]) {
            return std::int32_t(k);
        }
        all += (k == 0 ? "" : ", ") + std::string(names[k]);
    }
    refuse(field + ": " + value.dump() + " is not one of " + all);
}

void read_components(json const& value, std::string const& field, parameter const& by, void* spec) {
    if (!value.is_object() || value.empty()) {
        refuse(field + ": expected an object such as {\"feasible\": 1, \"quality\": 1}");
    }
    for (std::size_t c = 0; c < component_count; ++c) {
        put_value(by, spec, 0.0, c);
    }
    for (auto const& [name, weight] : value.items()) {
        std::int32_t const at = choice_named(name, field, component_names);
        put_value(by, spec, number(weight, field + "." + name, -largest_constant, largest_constant), std::size_t(at));
    }
}

/// The thresholds of a reward_spec are several arrays, so the offset does not count.
void read_steps(json const& value, std::string const& field, reward_spec& spec) {
    if (!value.is_array() || value.empty() || value.size() > max_thresholds) {
        refuse(field + ": expected 1 to " + std::to_string(max_thresholds) + " pairs [quality, value]");
    }
    for (json const& pair : value) {
        std::string const place = field + "[" + std::to_string(spec.thresholds) + "]";
        if (!pair.is_array() || pair.size() != 2) {
            refuse(place + ": " + pair.dump() + " is not a pair [quality, value]");
        }
        double const quality = number(pair[0], place + "[0]", 0.0, 1.0);
        if (spec.thresholds > 0 && quality <= spec.threshold_quality[spec.thresholds - 1]) {
            refuse(place + "[0]: " + pair[0].dump() + " is not above the step before it");
        }
        spec.threshold_quality[spec.thresholds] = quality;
        spec.threshold_value[spec.thresholds] = number(pair[1], place + "[1]", -largest_constant, largest_constant);
        ++spec.thresholds;
    }
}

json steps_json(reward_spec const& spec) {
    json out = json::array();
    for (std::int32_t i = 0; i < spec.thresholds; ++i) {
        out.push_back({spec.threshold_quality[i], spec.threshold_value[i]});
    }
    return out;
}

}  // namespace

void read_parameter(json const& value, std::string const& field, parameter const& by, void* spec) {
    switch (by.kind) {
        case parameter_kind::number: put_value(by, spec, number(value, field, by.low, by.high)); return;
        case parameter_kind::integer:
            put_value(by, spec, integer(value, field, std::int32_t(by.low), std::int32_t(by.high)));
            return;
        case parameter_kind::choice:
        case parameter_kind::anchor: put_value(by, spec, choice_named(value, field, by.choices)); return;
        case parameter_kind::components: read_components(value, field, by, spec); return;
        case parameter_kind::steps: read_steps(value, field, *static_cast<reward_spec*>(spec)); return;
    }
}

json parameter_value(parameter const& of, void const* spec) {
    switch (of.kind) {
        case parameter_kind::number: return get_value<double>(of, spec);
        case parameter_kind::integer: return get_value<std::int32_t>(of, spec);
        case parameter_kind::choice:
        case parameter_kind::anchor: return of.choices[std::size_t(get_value<std::int32_t>(of, spec))];
        case parameter_kind::steps: return steps_json(*static_cast<reward_spec const*>(spec));
        case parameter_kind::components: break;
    }
    json out = json::object();
    for (std::size_t c = 0; c < component_count; ++c) {
        out[component_names[c]] = get_value<double>(of, spec, c);
    }
    return out;
}

json parameter_json(parameter const& of) {
    json out{{"name", of.name}, {"meaning", of.meaning}};
    switch (of.kind) {
        case parameter_kind::number: out.update({{"low", of.low}, {"high", of.high}}); break;
        case parameter_kind::integer:
            out.update({{"low", std::int32_t(of.low)}, {"high", std::int32_t(of.high)}});
            break;
        case parameter_kind::choice:
        case parameter_kind::anchor:
            out["choices"] = std::vector<std::string>(of.choices.begin(), of.choices.end());
            break;
        case parameter_kind::components: out["components"] = component_names; break;
        case parameter_kind::steps:
            out["steps"] = "up to " + std::to_string(max_thresholds) + " pairs [quality, value]";
    }
    out["needed"] = of.needed;
    return out;
}

parameter const* parameter_named(std::span<parameter const> all, std::string const& name) {
    auto const found = std::ranges::find(all, name, &parameter::name);
    return found == all.end() ? nullptr : &*found;
}

std::string joined_names(std::span<std::string const> names) {
    std::string out;
    for (std::size_t k = 0; k < names.size(); ++k) {
        out += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    }
    return out;
}

}  // namespace optgap
