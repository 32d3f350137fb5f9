#include "host/rows/read/fields.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {

std::optional<std::string> string_of(json_row const& row, std::string_view name) {
    std::string_view const* const value = field_of(row, name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!is_json_string(*value)) {
        throw field_error(std::string(name), "must be a string");
    }
    return decode_json_string(*value);
}

bool names_format(json_row const& row) {
    std::string_view const* const own = row.find("format");
    bool const number_here = own != nullptr && !is_json_string(*own) && !own->starts_with('{');
    return has(row, number_here ? "format_name" : "format");
}

std::int64_t integer_of(json_row const& row, std::string_view name, std::int64_t none, std::string const& field) {
    std::string_view const* const value = row.find(name);
    if (value == nullptr || is_json_null(*value)) {
        return none;
    }
    std::int64_t number = 0;
    auto const [end, problem] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (problem != std::errc() || end != value->data() + value->size()) {
        throw field_error(field, "must be a 64-bit integer or null");
    }
    return number;
}

std::string prompt_of(json_row const& row) {
    std::string_view const* const raw = field_of(row, "prompt");
    if (raw == nullptr) {
        return {};
    }
    if (is_json_string(*raw)) {
        return decode_json_string(*raw);
    }
    std::string out;
    auto const messages = read_json(*raw);
    if (!messages.is_array()) {
        throw field_error("prompt", "must be a text or a list of messages");
    }
    for (auto const& message : messages) {
        if (!message.is_object() || !message.contains("content") || !message["content"].is_string()) {
            throw field_error("prompt", "must be a text or a list of messages with a text as `content`");
        }
        out += (out.empty() ? "" : "\n") + message["content"].get<std::string>();
    }
    return out;
}

}  // namespace optgap::rows
