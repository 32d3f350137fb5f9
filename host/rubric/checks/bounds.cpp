#include "host/rubric/checks/bounds.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "host/rubric/checks/arguments.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

using json = nlohmann::ordered_json;

bool has_value(json const& object, char const* key) {
    auto const found = object.find(key);
    return found != object.end() && !found->is_null();
}

namespace {

std::int64_t bound_number(json const& value, std::string const& where) {
    return read_argument(value, argument_kind::integer, where, {}).number;
}

}  // namespace

predicate read_bound(json const& value, std::string const& where, std::int64_t default_low, char const* share) {
    predicate bound;
    int ways = 0;
    if (has_value(value, "in")) {
        json const& pair = value["in"];
        if (!pair.is_array() || pair.size() != 2) {
            misuse(where + ".in: expected two integers, [low, high]");
        }
        bound.low = bound_number(pair[0], where + ".in[0]");
        bound.high = bound_number(pair[1], where + ".in[1]");
        ++ways;
    }
    if (has_value(value, "equals")) {
        bound.low = bound.high = bound_number(value["equals"], where + ".equals");
        ++ways;
    }
    if (has_value(value, "min") || has_value(value, "max")) {
        bound.low = has_value(value, "min") ? bound_number(value["min"], where + ".min") : predicate::none;
        bound.high = has_value(value, "max") ? bound_number(value["max"], where + ".max") : predicate::none;
        ++ways;
    }
    if (ways > 1) {
        misuse(where + ": a bound is one of min and max, in, equals");
    }
    if (bound.low != predicate::none && bound.high != predicate::none && bound.low > bound.high) {
        misuse(where + ": nothing is from " + std::to_string(bound.low) + " to " + std::to_string(bound.high));
    }
    for (auto const& [key, limit] :
         {std::pair{"ratio_min", &bound.ratio_low}, std::pair{"ratio_max", &bound.ratio_high}}) {
        if (has_value(value, key)) {
            if (share == nullptr) {
                misuse(where + "." + key + ": this measure is a share of nothing");
            }
            *limit = bound_number(value[key], where + "." + key);
            ++ways;
        }
    }
    if (ways == 0) {
        if (default_low == predicate::none) {
            misuse(where + ": a bound is missing: min, max, in, equals, ratio_min or ratio_max");
        }
        bound.low = default_low;
    }
    return bound;
}

scope read_scope(json const& value, std::string const& where) {
    scope read;
    if (!has_value(value, "scope") || value["scope"] == "text") {
        return read;
    }
    static constexpr std::pair<char const*, scope_unit> units[] = {
        {"paragraph", scope_unit::paragraph}, {"sentence", scope_unit::sentence}, {"line", scope_unit::line}};
    json const& given = value["scope"];
    char const* const wanted =
        ".scope: expected \"text\", {\"each\": UNIT}, {\"some\": UNIT} or {UNIT: k}, where UNIT is paragraph, "
        "sentence or "
        "line and k counts from 1, or from -1 back";
    if (given.is_object() && given.size() == 1) {
        std::string const key = given.begin().key();
        json const& content = given.begin().value();
        for (auto const& [name, unit] : units) {
            if (key == name && content.is_number_integer() && content != 0 && std::abs(content.get<double>()) < 1e9) {
                return {unit, scope_choice::one, content.get<std::int64_t>()};
            }
            if ((key == "each" || key == "some") && content == name) {
                return {unit, key == "each" ? scope_choice::each : scope_choice::some, 0};
            }
        }
    }
    misuse(where + wanted);
}

}  // namespace optgap::rubrics
