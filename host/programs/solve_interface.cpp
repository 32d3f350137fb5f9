// Describes the interface solve in words: the function's arguments with their types, and one call of it.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "host/programs/input_form.hpp"

namespace optgap::programs {
namespace {

/// The types of the values in a field beneath its lists.
struct leaves {
    bool integers = false, decimals = false, words = false;

    void add(json const& value) {
        if (value.is_array()) {
            for (json const& one : value) {
                add(one);
            }
        } else {
            integers = integers || value.is_number_integer();
            decimals = decimals || value.is_number_float();
            words = words || value.is_string();
        }
    }
    [[nodiscard]] std::string type() const {
        std::string out;
        auto const say = [&out](bool is, char const* name) {
            out += is ? (out.empty() ? "" : " | ") + std::string(name) : "";
        };
        say(integers || !(decimals || words), "int");  // lists that are all empty
        say(decimals, "float");
        say(words, "str");
        return out;
    }
};

std::string literal(json const& value) {
    if (value.is_null()) {
        return "None";
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "True" : "False";
    }
    if (!value.is_array()) {
        return value.dump();
    }
    std::string out = "[";
    for (std::size_t k = 0; k < value.size(); ++k) {
        out += (k > 0 ? ", " : "") + literal(value[k]);
    }
    return out + "]";
}

}  // namespace

std::string solve_signature(std::vector<input_field> const& fields, std::vector<json> const& instances) {
    std::string out = "def solve(";
    for (std::size_t f = 0; f < fields.size(); ++f) {
        leaves seen;
        for (json const& instance : instances) {
            seen.add(instance[fields[f].name]);
        }
        std::string type = seen.type();
        for (std::int32_t level = 0; level < fields[f].depth; ++level) {
            type = "list[" + type + "]";
        }
        out += (f > 0 ? ", " : "") + fields[f].name + ": " + type;
    }
    return out + ") -> list[str]:";
}

std::string solve_call(std::vector<input_field> const& fields, json const& instance) {
    std::string out = "solve(";
    for (std::size_t f = 0; f < fields.size(); ++f) {
        out += (f > 0 ? ", " : "") + fields[f].name + "=" + literal(instance[fields[f].name]);
    }
    return out + ")\n";
}

std::string solve_value(std::string_view output) {
    json lines = json::array();
    while (!output.empty()) {
        std::string_view const line = output.substr(0, output.find('\n'));
        lines.push_back(line);
        output.remove_prefix(std::min(output.size(), line.size() + 1));
    }
    return literal(lines) + "\n";
}

}  // namespace optgap::programs
