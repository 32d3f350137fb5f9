#pragma once
// Specs as text: reading a name or a JSON object field by field, with errors that name the field. Host only.

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "optgap/reward.hpp"
#include "optgap/status.hpp"

namespace optgap::spec_json {

using json = nlohmann::ordered_json;

inline constexpr double largest = 1e6;  ///< of any constant, since a reward is a number of order 1

[[noreturn]] void refuse(std::string const& what);

/// {"<kind>": text} for a bare name, else the object the text holds.
json read_object(std::string_view text, char const* what, char const* kind);

/// The choice a text names, among pairs of name and value.
template <class Value, class Choices>
Value pick(json const& value, std::string const& field, Choices const& choices) {
    std::string names;
    for (auto const& [name, choice] : choices) {
        if (value == name) {
            return Value(choice);
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    refuse(field + ": " + value.dump() + " is not one of " + names);
}
template <class Value>
Value pick(json const& value, std::string const& field, std::initializer_list<std::pair<char const*, Value>> choices) {
    return pick<Value, std::initializer_list<std::pair<char const*, Value>>>(value, field, choices);
}

double number(json const& value, std::string const& field, double low, double high);

bool boolean(json const& value, std::string const& field);

std::int32_t integer(json const& value, std::string const& field, std::int32_t low, std::int32_t high);

template <class Value>
char const* name_of(std::span<std::pair<char const*, Value> const> names, Value value) {
    for (auto const& [name, own] : names) {
        if (own == value) {
            return name;
        }
    }
    return "";
}

/// The components by their names in weights.
inline constexpr std::pair<char const*, std::int32_t> reward_components[] = {{"format", component_format},
                                                                             {"feasible", component_feasible},
                                                                             {"quality", component_quality},
                                                                             {"normalized", component_normalized},
                                                                             {"optimal", component_optimal}};

}  // namespace optgap::spec_json
