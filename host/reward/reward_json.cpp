// Reward specs as text; what a shape reads, by its declaration.

#include <algorithm>

#include "host/reward/parameters_json.hpp"
#include "host/specs/renamed.hpp"
#include "kernels/reward/added.hpp"
#include "optgap/reward.hpp"
#include "optgap/run_record.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::pair<char const*, infeasible_reward> infeasible_modes[] = {{"flat", infeasible_reward::flat},
                                                                          {"graded", infeasible_reward::graded}};
constexpr std::pair<char const*, truncation> truncations[] = {
    {"penalise", truncation::penalise}, {"zero", truncation::zero}, {"exclude", truncation::exclude}};
constexpr std::pair<char const*, long_rollouts> long_names[] = {{"all", long_rollouts::all},
                                                                {"wrong", long_rollouts::wrong}};
constexpr std::int32_t max_tokens = 1 << 30;

/// The spec that a shape starts from.
reward_spec reward_named(json const& name) {
    std::string all;
    for (shape_entry const* const each : known_shapes()) {
        if (name == each->info->name) {
            reward_spec spec = each->info->start;
            spec.shape = each->shape;
            return spec;
        }
        all += (all.empty() ? "" : ", ") + std::string(each->info->name);
    }
    refuse("reward.shape: " + name.dump() + " is not one of " + all);
}

/// A field of another shape's is refused, so that no setting is silently without effect.
[[noreturn]] void refuse_reward_field(std::string const& field) {
    std::vector<std::string> owners;
    std::vector<std::string> known{"shape"};
    for (shape_entry const* const each : known_shapes()) {
        for (parameter const& own : each->info->parameters) {
            if (own.name == field) {
                owners.emplace_back(each->info->name);
            }
            if (std::ranges::find(known, own.name) == known.end()) {
                known.emplace_back(own.name);
            }
        }
    }
    known.insert(known.end(), {"format_valid", "format_broken", "infeasible_value", "infeasible", "graded_span",
                               "proven_bonus", "length", "range", "truncated", "grid", "format_gates"});
    refuse("reward." + field +
           (owners.empty() ? " is not known: expected one of " + joined_names(known)
                           : " belongs to the shape " + joined_names(owners)));
}

void read_range(json const& value, reward_spec& spec) {
    if (!value.is_array() || value.size() != 2) {
        refuse("reward.range: " + value.dump() + " is not a pair [low, high]");
    }
    spec.range_low = number(value[0], "reward.range[0]", -largest, largest);
    spec.range_high = number(value[1], "reward.range[1]", -largest, largest);
    if (spec.range_low >= spec.range_high) {
        refuse("reward.range: " + value.dump() + " does not rise");
    }
}

void read_length(json const& value, reward_spec& spec) {
    if (!value.is_object()) {
        refuse("reward.length: " + value.dump() + " is not an object such as {\"limit\": 16384, \"buffer\": 4096}");
    }
    spec.length_factor = 1.0;
    for (auto const& [name, setting] : value.items()) {
        std::string const field = "reward.length." + name;
        if (name == "limit") {
            spec.length_limit = integer(setting, field, 1, max_tokens);
        } else if (name == "buffer") {
            spec.length_buffer = integer(setting, field, 1, max_tokens);
        } else if (name == "factor") {
            spec.length_factor = number(setting, field, 0.0, largest);
        } else if (name == "on") {
            spec.length_on = pick<long_rollouts>(setting, field, long_names);
        } else {
            refuse(field + " is not known: expected limit, buffer, factor or on");
        }
    }
    if (spec.length_limit < 1 || spec.length_buffer < 1) {
        refuse("reward.length: limit and buffer are needed, in tokens");
    }
    if (spec.length_buffer > spec.length_limit) {
        refuse("reward.length: the buffer of " + std::to_string(spec.length_buffer) +
               " tokens is longer than the limit of " + std::to_string(spec.length_limit));
    }
    if (spec.length_factor <= 0.0) {
        refuse("reward.length.factor: 0 has no effect; leave length out");
    }
}

void read_field(std::string const& field, json const& value, reward_spec& spec) {
    if (field == "infeasible") {
        spec.infeasible_mode = pick<infeasible_reward>(value, "reward.infeasible", infeasible_modes);
    } else if (field == "truncated") {
        spec.truncated = pick<truncation>(value, "reward.truncated", truncations);
    } else if (field == "grid") {
        spec.grid = number(value, "reward.grid", 0.0, 1.0);
    } else if (field == "format_gates") {
        spec.format_gates = boolean(value, "reward.format_gates") ? 1 : 0;
    } else if (field == "format_valid") {
        spec.format_valid = number(value, "reward.format_valid", -largest, largest);
    } else if (field == "format_broken") {
        spec.format_broken = number(value, "reward.format_broken", -largest, largest);
    } else if (field == "infeasible_value") {
        spec.infeasible = number(value, "reward.infeasible_value", -largest, largest);
    } else if (field == "graded_span") {
        spec.graded_span = number(value, "reward.graded_span", 0.0, largest);
    } else if (field == "proven_bonus") {
        spec.proven_bonus = number(value, "reward.proven_bonus", -largest, largest);
    } else if (field == "range") {
        read_range(value, spec);
    } else if (field == "length") {
        read_length(value, spec);
    } else if (parameter const* const own = parameter_named(shape_of(spec.shape).info->parameters, field)) {
        read_parameter(value, "reward." + field, *own, &spec);
    } else {
        refuse_reward_field(field);
    }
}

std::string current_field(std::string const& given, json const& object) {
    for (renamed const& one : renamed_reward_fields) {
        if (given != one.former) {
            continue;
        }
        if (object.contains(one.current)) {
            refuse("reward." + given + ": is the former name of reward." + std::string(one.current) +
                   ", which is given as well");
        }
        return std::string(one.current);
    }
    return given;
}

void check_whole(reward_spec const& spec, json const& object) {
    shape_entry const& shape = shape_of(spec.shape);
    for (parameter const& each : shape.info->parameters) {
        if (each.needed && !object.contains(each.name)) {
            refuse("reward." + std::string(each.name) + ": missing, the shape " + shape.info->name + " needs it");
        }
    }
    if (char const* const fault = shape.fault != nullptr ? shape.fault(spec) : nullptr) {
        refuse(fault);
    }
    if (shape.whole && (spec.infeasible_mode == infeasible_reward::graded || spec.proven_bonus != 0.0)) {
        refuse("reward.infeasible and reward.proven_bonus have no part in the shape " + std::string(shape.info->name) +
               ", which is the whole reward");
    }
}

}  // namespace

reward_spec parse_reward_spec(std::string_view text) {
    json const object = read_object(text, "reward", "shape");
    reward_spec spec = object.contains("shape") ? reward_named(object["shape"]) : reward_spec{};
    for (auto const& [field, value] : object.items()) {
        if (field != "shape") {
            read_field(current_field(field, object), value, spec);
        }
    }
    if (!object.contains("graded_span")) {
        spec.graded_span = std::max(0.0, std::min(1.0, -spec.infeasible));
    }
    if (spec.infeasible_mode == infeasible_reward::graded && spec.graded_span == 0.0) {
        refuse("reward.infeasible: graded needs an infeasible_value below 0, or a graded_span");
    }
    check_whole(spec, object);
    return spec;
}

std::string to_json(reward_spec const& spec) {
    shape_info const& info = *shape_of(spec.shape).info;
    json out{{"shape", info.name}};
    for (parameter const& each : info.parameters) {
        out[each.name] = parameter_value(each, &spec);
    }
    out["format_valid"] = spec.format_valid;
    out["format_broken"] = spec.format_broken;
    out["infeasible_value"] = spec.infeasible;
    out["infeasible"] = name_of<infeasible_reward>(infeasible_modes, spec.infeasible_mode);
    out["graded_span"] = spec.graded_span;
    out["proven_bonus"] = spec.proven_bonus;
    if (reads_lengths(spec)) {
        out["length"] = {{"limit", spec.length_limit},
                         {"buffer", spec.length_buffer},
                         {"factor", spec.length_factor},
                         {"on", name_of<long_rollouts>(long_names, spec.length_on)}};
    }
    if (spec.range_low != spec.range_high) {
        out["range"] = {spec.range_low, spec.range_high};
    }
    out["truncated"] = name_of<truncation>(truncations, spec.truncated);
    out["grid"] = spec.grid;
    out["format_gates"] = spec.format_gates != 0;
    return out.dump();
}

namespace {

std::string describe(std::span<shape_entry const* const> shapes) {
    json out = json::array();
    for (shape_entry const* const each : shapes) {
        shape_info const& info = *each->info;
        json parameters = json::array();
        for (parameter const& one : info.parameters) {
            json made = parameter_json(one);
            if (!one.needed) {
                made["default"] = parameter_value(one, &info.start);
            }
            parameters.push_back(std::move(made));
        }
        json defaults{{"format_valid", info.start.format_valid},
                      {"format_broken", info.start.format_broken},
                      {"infeasible_value", info.start.infeasible}};
        out.push_back({{"name", info.name},
                       {"formula", info.formula},
                       {"source", info.source},
                       {"whole", each->whole},
                       {"parameters", parameters},
                       {"defaults", each->whole ? json(nullptr) : defaults}});
    }
    return out.dump();
}

}  // namespace

std::string describe_shapes() { return describe(known_shapes()); }

std::string describe_listed_shapes() {
    std::vector<shape_entry const*> listed;
    for (shape_entry const& each : listed_shapes()) {
        listed.push_back(&each);
    }
    return describe(listed);
}

}  // namespace optgap
