// Reward and advantage specs as text: a name or a JSON object.

#include <nlohmann/json.hpp>

#include <initializer_list>

#include "optgap/reward.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

using json = nlohmann::ordered_json;

[[noreturn]] void refuse(std::string const& what) { throw error(status::invalid_argument, what); }

/// {"<kind>": text} for a bare name, else the object the text holds.
json read_object(std::string_view text, char const* what, char const* kind) {
    if (text.find('{') == std::string_view::npos) {
        return json{{kind, text}};
    }
    json object = json::parse(text, nullptr, false);
    if (object.is_discarded() || !object.is_object()) {
        refuse(std::string(what) + ": expected a name or a JSON object, got '" + std::string(text) + "'");
    }
    return object;
}

template <class Enum>
Enum pick(json const& value, std::string const& field, std::initializer_list<std::pair<char const*, Enum>> choices) {
    std::string names;
    for (auto const& [name, choice] : choices) {
        if (value == name) {
            return choice;
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    refuse(field + ": " + value.dump() + " is not one of " + names);
}

double number(json const& value, std::string const& field, double low, double high) {
    if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high)) {
        refuse(field + ": " + value.dump() + " is not a number in [" + json(low).dump() + ", " + json(high).dump() +
               "]");
    }
    return value.get<double>();
}

bool boolean(json const& value, std::string const& field) {
    if (!value.is_boolean()) {
        refuse(field + ": " + value.dump() + " is not true or false");
    }
    return value.get<bool>();
}

}  // namespace

reward_spec parse_reward_spec(std::string_view text) {
    reward_spec spec;
    for (json const object = read_object(text, "reward", "shape"); auto const& [field, value] : object.items()) {
        if (field == "shape") {
            pick<int>(value, "reward.shape", {{"forge", 0}});
        } else if (field == "infeasible") {
            spec.infeasible_mode = pick<infeasible_reward>(
                value, "reward.infeasible", {{"flat", infeasible_reward::flat}, {"graded", infeasible_reward::graded}});
        } else if (field == "truncated") {
            spec.truncated = pick<truncation>(
                value, "reward.truncated",
                {{"penalise", truncation::penalise}, {"zero", truncation::zero}, {"exclude", truncation::exclude}});
        } else if (field == "grid") {
            spec.grid = number(value, "reward.grid", 0.0, 1.0);
        } else if (field == "format_gates") {
            spec.format_gates = boolean(value, "reward.format_gates") ? 1 : 0;
        } else {
            refuse("reward." + field + " is not known: expected shape, infeasible, truncated, grid or format_gates");
        }
    }
    return spec;
}

advantage_spec parse_advantage_spec(std::string_view text) {
    advantage_spec spec;
    for (json const object = read_object(text, "advantage", "estimator"); auto const& [field, value] : object.items()) {
        if (field == "estimator") {
            spec.form = pick<estimator>(
                value, "advantage.estimator",
                {{"grpo", estimator::grpo}, {"exact", estimator::grpo}, {"dr_grpo", estimator::dr_grpo}});
        } else if (field == "epsilon") {
            spec.epsilon = number(value, "advantage.epsilon", 0.0, 1.0);
        } else {
            refuse("advantage." + field + " is not known: expected estimator or epsilon");
        }
    }
    return spec;
}

}  // namespace optgap
