#include "kernels/text/json_fields.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace optgap {
namespace {

/// "capacity, weights and values"
std::string listed(std::vector<std::string> const& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
    }
    return text;
}

/// `name_of(member)` returns the name of each; the library's members are pairs.
template <class Value, class Members, class Name>
void require_exactly(Value const& instance, Members const& members, Name const& name_of,
                     std::vector<std::string> const& names) {
    for (auto const& member : members) {
        if (std::ranges::find(names, name_of(member)) == names.end()) {
            throw field_error(std::string(name_of(member)), "unknown field; an instance has " + listed(names));
        }
    }
    for (std::string const& name : names) {
        if (!instance.contains(name)) {
            throw field_error(name, "is missing");
        }
    }
}

template <class Value>
void require_object(Value const& instance, std::vector<std::string> const& names) {
    if (!instance.is_object()) {
        throw field_error("instance", "must be an object with " + listed(names));
    }
}

}  // namespace

void require_fields(json const& instance, std::vector<std::string> const& names) {
    require_object(instance, names);
    require_exactly(
        instance, instance.items(), [](auto const& member) { return member.key(); }, names);
}
void require_fields(flat_value const& instance, std::vector<std::string> const& names) {
    require_object(instance, names);
    require_exactly(
        instance, instance, [](flat_value const& member) { return member.name(); }, names);
}

bool has_field(json const& instance, std::string_view name) { return instance.is_object() && instance.contains(name); }
bool has_field(flat_value const& instance, std::string_view name) {
    return instance.is_object() && instance.contains(name);
}

std::optional<std::int64_t> integer_of(json const& value) {
    if (auto const* const natural = value.get_ptr<json::number_unsigned_t const*>()) {
        return std::int64_t(std::min<std::uint64_t>(*natural, INT64_MAX));
    }
    auto const* const integer = value.get_ptr<json::number_integer_t const*>();
    return integer == nullptr ? std::nullopt : std::optional(*integer);
}

std::optional<std::int32_t> integer_within(json const& value, std::int64_t low, std::int64_t high) {
    auto const number = integer_of(value);
    return !number || *number < low || *number > high ? std::nullopt : std::optional(std::int32_t(*number));
}

std::string integer_rule(std::int64_t low, std::int64_t high) {
    return low == high ? "must be the integer " + std::to_string(low)
                       : "must be an integer from " + std::to_string(low) + " to " + std::to_string(high);
}

std::string entry_name(std::string_view list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

std::string entry_name(std::string_view list, std::size_t i, std::size_t j) {
    return entry_name(entry_name(list, i), j);
}

}  // namespace optgap
