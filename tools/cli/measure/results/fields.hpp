#pragma once
// Fields of JSON that came from a file.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// An object whose fields must be of their kinds; usage_error says which is not, and begins with `where`.
class checked_fields {
public:
    checked_fields(nlohmann::ordered_json const& of, std::string where) : of_(of), where_(std::move(where)) {
        if (!of.is_object()) {
            throw usage_error(where_ + ": expected an object");
        }
    }
    [[noreturn]] void refuse(char const* field, std::string const& expected) const {
        throw usage_error(fmt::format("{}: '{}' {}, expected {}", where_, field,
                                      of_.contains(field) ? "is something else" : "is missing", expected));
    }
    [[nodiscard]] std::string text(char const* field) const {
        if (!of_.contains(field) || !of_[field].is_string() || of_[field].get_ref<std::string const&>().empty()) {
            refuse(field, "a text");
        }
        return of_[field].get<std::string>();
    }
    [[nodiscard]] std::int64_t count(char const* field, std::int64_t least) const {
        if (!of_.contains(field) || !of_[field].is_number_integer() || of_[field].get<std::int64_t>() < least) {
            refuse(field, fmt::format("a whole number from {}", least));
        }
        return of_[field].get<std::int64_t>();
    }
    [[nodiscard]] double positive(char const* field) const {
        if (!of_.contains(field) || !is_positive(of_[field])) {
            refuse(field, "a number above 0");
        }
        return of_[field].get<double>();
    }
    [[nodiscard]] std::vector<double> samples(char const* field) const {
        if (!of_.contains(field) || !of_[field].is_array() || of_[field].empty()) {
            refuse(field, "a list of numbers above 0");
        }
        std::vector<double> numbers;
        for (nlohmann::ordered_json const& one : of_[field]) {
            if (!is_positive(one)) {
                refuse(field, "a list of numbers above 0");
            }
            numbers.push_back(one.get<double>());
        }
        return numbers;
    }
    /// Rows of a report, of which there may be none.
    [[nodiscard]] nlohmann::ordered_json list(char const* field) const {
        if (of_.contains(field) && !of_[field].is_array()) {
            refuse(field, "a list");
        }
        return of_.contains(field) ? of_[field] : nlohmann::ordered_json::array();
    }

private:
    static bool is_positive(nlohmann::ordered_json const& value) {
        return value.is_number() && value.get<double>() > 0 && std::isfinite(value.get<double>());
    }
    nlohmann::ordered_json const& of_;
    std::string where_;
};

}  // namespace optgap::cli
