#include "host/rows/json/json_text.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "kernels/text/task_text.hpp"

namespace optgap::rows {

json read_json(std::string_view text) { return json::parse(text, nullptr, false); }

std::size_t json_fault(std::string_view text) {
    try {
        json const whole = json::parse(text);
    } catch (json::parse_error const& broken) {
        return std::min(text.size(), broken.byte == 0 ? 0 : broken.byte - 1);
    } catch (json::exception const&) {  // a number that does not fit: nowhere
    }
    return 0;
}

std::string json_text(json const& value, int indent) { return value.dump(indent); }

std::string indented_json(std::string_view text) { return json::parse(text).dump(2); }

nlohmann::ordered_json number_or_null(double value) {
    return std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
}

std::string instance_json(task_text const& task, std::span<std::int32_t const> words) {
    return instance_to_json(task, {words.data(), std::int64_t(words.size())}).dump();
}

std::vector<std::int32_t> instance_words(task_text const& task, std::string_view text) {
    json const instance = read_json(text);
    if (instance.is_discarded()) {
        throw field_error("instance", "a number that does not fit or a string that is not UTF-8");
    }
    return instance_from_json(task, instance);
}

}  // namespace optgap::rows
