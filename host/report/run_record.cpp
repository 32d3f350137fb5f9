#include "optgap/run_record.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "optgap/format.hpp"
#include "optgap/reward_rules.hpp"

namespace optgap {

namespace {

using json = nlohmann::ordered_json;

struct part {
    char const* name;
    std::size_t digits;
};
constexpr part parts[] = {{"engine", 4}, {"format", 3}, {"reward", 3}, {"advantage", 3}, {"baseline", 3}};
constexpr std::size_t all_digits = 16;

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

/// The data of every named format: a row may name any of them.
std::string formats_hash() {
    json all = json::array();
    for (format_spec const& format : formats()) {
        all.push_back(json::parse(to_json(format)));
    }
    return hash_of(all.dump());
}

std::string digits_of(json const& record) {
    std::string out;
    for (auto const& [name, digits] : parts) {
        out += hash_of(record.contains(name) ? record[name].dump() : std::string()).substr(0, digits);
    }
    return out;
}

bool is_fingerprint(std::string_view text) {
    return text.size() == all_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string run_record(run_settings const& settings) {
    json tasks = json::array();
    for (task_info const& task : settings.tasks) {
        tasks.push_back(fmt::format("{}@{}", task.name, task.version));
    }
    json record{
        {"fingerprint", ""},
        {"engine", {{"version", settings.engine_version}, {"tasks", tasks}}},
        {"format",
         {{"default", settings.format.empty() ? std::string_view(formats()[0].name) : settings.format},
          {"forced", settings.force_format},
          {"formats", formats_hash()}}},
        {"reward", json::parse(to_json(settings.reward, settings.tasks))},
        {"advantage", json::parse(to_json(settings.advantage))},
        {"baseline",
         {{"budget", settings.budget}, {"snapshot", settings.baselines.empty() ? json() : json(settings.baselines)}}}};
    if (!settings.roles.empty()) {
        record["advantage"] = json::parse(settings.roles);
    }
    for (auto const& [name, value] : settings.kinds) {
        record["reward"][name] = value;
    }
    record["fingerprint"] = digits_of(record);
    return record.dump();
}

std::string run_fingerprint(std::string_view record) {
    json const known = json::parse(record, nullptr, false);
    return known.is_object() ? digits_of(known) : std::string();
}

std::string differing_parts(std::string_view a, std::string_view b) {
    if (a == b) {
        return {};
    }
    if (!is_fingerprint(a) || !is_fingerprint(b)) {
        return "all of it";
    }
    std::vector<std::string> names;
    std::size_t begin = 0;
    for (auto const& [name, digits] : parts) {
        if (a.substr(begin, digits) != b.substr(begin, digits)) {
            names.emplace_back(name);
        }
        begin += digits;
    }
    std::string const last = names.back();
    names.pop_back();
    return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace optgap
