#pragma once
// Fields of a rubric's JSON. Each is read or refused by its name.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "host/rubric/rubric_data.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

inline void require_object(json const& value, std::string const& field, std::initializer_list<std::string_view> known) {
    if (!value.is_object()) {
        throw field_error(field, fmt::format("must be an object of {}", fmt::join(known, ", ")));
    }
    for (auto const& [name, ignored] : value.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw field_error(field == "chain" ? name.substr(0, 60) : fmt::format("{}.{}", field, name.substr(0, 60)),
                              fmt::format("is unknown, expected {}", fmt::join(known, ", ")));
        }
    }
}

inline json const& array_at(json const& value, std::string const& field, std::size_t most) {
    if (!value.is_array()) {
        throw field_error(field, "must be a list");
    }
    if (value.size() > most) {
        throw field_error(field, fmt::format("has {} entries, expected at most {}", value.size(), most));
    }
    return value;
}

inline std::string text_at(json const& value, std::string const& field, std::size_t most) {
    if (!value.is_string()) {
        throw field_error(field, "must be a text");
    }
    auto const& text = value.get_ref<std::string const&>();
    if (text.size() > most) {
        throw field_error(field, fmt::format("has {} bytes, expected at most {}", text.size(), most));
    }
    return text;
}

inline bool flag_at(json const& value, std::string const& field) {
    if (!value.is_boolean()) {
        throw field_error(field, "must be true or false");
    }
    return value.get<bool>();
}

inline std::int64_t count_at(json const& value, std::string const& field, std::int64_t most) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > most) {
        throw field_error(field, fmt::format("must be an integer from 0 to {}", most));
    }
    return value.get<std::int64_t>();
}

template <class Value>
Value choice_at(json const& value, std::string const& field,
                std::initializer_list<std::pair<std::string_view, Value>> const& choices) {
    std::string names;
    for (auto const& [name, choice] : choices) {
        if (value == name) {
            return choice;
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw field_error(field, "expected one of: " + names);
}

/// Reads the points of `content`, by the rubric's preset.
void read_points(json const& given, rubric_data& out);

}  // namespace optgap::rubrics
