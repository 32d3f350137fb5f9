#include "host/specs/spec_json.hpp"

namespace optgap::spec_json {

void refuse(std::string const& what) { throw error(status::invalid_argument, what); }

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

std::int32_t integer(json const& value, std::string const& field, std::int32_t low, std::int32_t high) {
    if (!value.is_number_integer() || value.get<double>() < low || value.get<double>() > high) {
        refuse(field + ": " + value.dump() + " is not an integer from " + std::to_string(low) + " to " +
               std::to_string(high));
    }
    return value.get<std::int32_t>();
}

}  // namespace optgap::spec_json
