#include "host/programs/limits.hpp"

#include "host/specs/spec_json.hpp"

namespace optgap::programs {
namespace {

namespace json_of = optgap::spec_json;

constexpr std::int64_t max_source_kb = 1024;

struct limits_preset {
    char const* name;
    program_limits limits;
};

constexpr std::int64_t contest_memory = 1024;

limits_preset const limits_presets[] = {
    {"train", {}},
    {"river", {{.cpu_ms = 5000, .memory_mb = contest_memory}, {}, 64}},
    {"ahc", {{.cpu_ms = 2000, .memory_mb = contest_memory}, {}, 64}},
};

/// A field of the JSON form.
struct limits_field {
    char const* name;
    std::int64_t low, high;
    std::int64_t& (*at)(program_limits&);
};

constexpr limits_field limits_fields[] = {
    {"cpu_ms", 1, 600'000, [](program_limits& all) -> std::int64_t& { return all.run.cpu_ms; }},
    {"steps", 0, INT64_MAX, [](program_limits& all) -> std::int64_t& { return all.run.steps; }},
    {"memory_mb", 16, 8192, [](program_limits& all) -> std::int64_t& { return all.run.memory_mb; }},
    {"output_kb", 1, 16'384, [](program_limits& all) -> std::int64_t& { return all.run.output_kb; }},
    {"source_kb", 1, max_source_kb, [](program_limits& all) -> std::int64_t& { return all.source_kb; }},
    {"compile_cpu_ms", 1, 600'000, [](program_limits& all) -> std::int64_t& { return all.compile.cpu_ms; }},
    {"compile_memory_mb", 16, 8192, [](program_limits& all) -> std::int64_t& { return all.compile.memory_mb; }},
};

program_limits preset_of(json_of::json const& object) {
    std::string names;
    for (limits_preset const& own : limits_presets) {
        names += (names.empty() ? "" : ", ") + std::string(own.name);
        if (!object.contains("preset") || object["preset"] == own.name) {
            return own.limits;
        }
    }
    json_of::refuse("limits.preset: " + object["preset"].dump() + " is not one of " + names);
}

void set_field(program_limits& limits, std::string const& key, json_of::json const& value) {
    std::string names = "preset";
    for (limits_field const& own : limits_fields) {
        names += std::string(", ") + own.name;
        if (key != own.name) {
            continue;
        }
        bool const whole = value.is_number_integer() &&
                           (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t(INT64_MAX));
        if (!whole || value.get<std::int64_t>() < own.low || value.get<std::int64_t>() > own.high) {
            json_of::refuse("limits." + key + ": " + value.dump() + " is not an integer from " +
                            std::to_string(own.low) + " to " + std::to_string(own.high));
        }
        own.at(limits) = value.get<std::int64_t>();
        return;
    }
    json_of::refuse("limits." + key + ": no such field; there are " + names);
}

}  // namespace

program_limits parse_limits(std::string_view name_or_json) {
    json_of::json const object = json_of::read_object(name_or_json, "limits", "preset");
    program_limits limits = preset_of(object);
    for (auto const& [key, value] : object.items()) {
        if (key != "preset") {
            set_field(limits, key, value);
        }
    }
    return limits;
}

std::string limits_json(program_limits const& limits) {
    program_limits copy = limits;
    json_of::json out;
    for (limits_field const& own : limits_fields) {
        out[own.name] = own.at(copy);
    }
    return out.dump();
}

std::string limits_text(program_limits const& limits) {
    for (limits_preset const& own : limits_presets) {
        if (own.limits == limits) {
            return own.name;
        }
    }
    return limits_json(limits);
}

}  // namespace optgap::programs
