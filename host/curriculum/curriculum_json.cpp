// Curriculum specs as text.

#include <fmt/format.h>

#include "host/curriculum/mixing.hpp"
#include "host/specs/spec_json.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/key.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::int32_t largest = 1'000'000;  ///< of any count
constexpr std::int32_t largest_prompt = 1'000'000'000;
constexpr std::int32_t max_steps = 1000;  ///< to choose from by counts

constexpr std::pair<char const*, curriculum_policy> policies[] = {{"static", curriculum_policy::fixed},
                                                                  {"window", curriculum_policy::window},
                                                                  {"window_public_code", curriculum_policy::window},
                                                                  {"stages", curriculum_policy::stages},
                                                                  {"mixed", curriculum_policy::stages},
                                                                  {"adaptive", curriculum_policy::adaptive},
                                                                  {"beta", curriculum_policy::beta},
                                                                  {"replay", curriculum_policy::replay}};
constexpr std::pair<char const*, window_rule> rules[] = {{"paper", window_rule::paper},
                                                         {"public_code", window_rule::public_code}};
constexpr std::pair<char const*, step_choice> choices[] = {{"uniform", step_choice::uniform},
                                                           {"nearest", step_choice::nearest}};
constexpr std::pair<char const*, stage_order> orders[] = {{"in_turn", stage_order::in_turn},
                                                          {"mixed", stage_order::mixed}};
constexpr std::pair<char const*, cut_off_counts> cut_offs[] = {{"apart", cut_off_counts::apart},
                                                               {"as_wrong", cut_off_counts::as_wrong}};

difficulty read_level(json const& value) {
    try {
        return parse_level(value.is_string() ? value.get_ref<std::string const&>() : value.dump());
    } catch (field_error const& broken) {
        refuse("curriculum.level: " + broken.rule());
    }
}

void read_mixture(json const& value, curriculum_spec& spec) {
    if (!value.is_array() || value.size() != std::size(spec.mixture)) {
        refuse("curriculum.mixture: expected the three shares of easy, medium, hard, such as [5, 4, 1]");
    }
    for (std::size_t k = 0; k < value.size(); ++k) {
        spec.mixture[k] = integer(value[k], fmt::format("curriculum.mixture[{}]", k), 0, 1000);
    }
    if (spec.mixture[0] + spec.mixture[1] + spec.mixture[2] == 0) {
        refuse("curriculum.mixture: the three shares are all 0");
    }
}

scale_range read_range(json const& value, curriculum_policy policy) {
    if (!value.is_array() || value.size() != 2) {
        refuse("curriculum.range: expected the first and the last step of the difficulty scale, such as [0, 20]");
    }
    std::int32_t const low = integer(value[0], "curriculum.range[0]", 0, max_scale_step);
    std::int32_t const high = integer(value[1], "curriculum.range[1]", low, max_scale_step);
    if (policy != curriculum_policy::fixed && high - low >= max_steps) {
        refuse("curriculum.range: " + value.dump() + " has more than " + std::to_string(max_steps) + " steps");
    }
    return {low, high};
}

void read_held_out(json const& value, curriculum_spec& spec) {
    for (json const& suite : value.is_array() ? value : json::array({value})) {
        if (!suite.is_string()) {
            refuse("curriculum.held_out: expected a suite or a list of suites, such as \"rlve_ood\", got " +
                   value.dump());
        }
        spec.held_out.push_back(suite.get<std::string>());
    }
}

bool read_adaptive_field(std::string const& field, json const& value, curriculum_spec& spec) {
    std::string const name = "curriculum." + field;
    if (field == "up") {
        spec.up = number(value, name, 0.001, 0.999);
    } else if (field == "down") {
        spec.down = number(value, name, 0.001, 0.999);
    } else if (field == "z") {
        spec.z = number(value, name, 0.0, 100.0);
    } else if (field == "memory") {
        spec.memory = integer(value, name, 1, largest);
    } else if (field == "choice") {
        spec.choice = pick<step_choice>(value, name, choices);
    } else {
        return false;
    }
    return true;
}

/// Reads a field of beta and replay.
bool read_chooser_field(std::string const& field, json const& value, curriculum_spec& spec) {
    std::string const name = "curriculum." + field;
    bool const beta = spec.policy == curriculum_policy::beta;
    if (field == "truncated") {
        spec.truncated = pick<cut_off_counts>(value, name, cut_offs);
    } else if (field == "target" && beta) {
        spec.target = number(value, name, 0.001, 0.999);
    } else if (field == "decay" && beta) {
        spec.decay = number(value, name, 0.0, 1.0);
    } else if (field == "stale" && !beta) {
        spec.stale = number(value, name, 0.0, 1.0);
    } else if (field == "rank_power" && !beta) {
        spec.rank_power = integer(value, name, 0, 40);
    } else {
        return false;
    }
    return true;
}

bool read_scale_field(std::string const& field, json const& value, curriculum_spec& spec) {
    std::string const name = "curriculum." + field;
    if (field == "rollouts") {
        spec.rollouts = integer(value, name, 1, largest);
    } else if (field == "samples") {
        spec.samples = integer(value, name, 0, largest);
    } else if (field == "accuracy") {
        spec.accuracy = number(value, name, 0.001, spec.policy == curriculum_policy::adaptive ? 0.999 : 1.0);
    } else if (field == "width") {
        spec.width = integer(value, name, 1, 1000);
    } else if (field == "truncated") {
        spec.truncated = pick<cut_off_counts>(value, name, cut_offs);
    } else {
        return false;
    }
    return true;
}

bool read_stage_field(std::string const& field, json const& value, curriculum_spec& spec) {
    if (field == "mixture") {
        read_mixture(value, spec);
    } else if (field == "order") {
        spec.order = pick<stage_order>(value, "curriculum.order", orders);
    } else if (field == "pass_steps") {
        spec.pass_steps = integer(value, "curriculum.pass_steps", 1, largest);
    } else if (field == "passes") {
        spec.passes = integer(value, "curriculum.passes", 1, largest);
    } else {
        return false;
    }
    return true;
}

void read_field(std::string const& field, json const& value, curriculum_spec& spec) {
    bool const climbs = spec.policy == curriculum_policy::window || spec.policy == curriculum_policy::adaptive;
    bool const chooses = spec.policy == curriculum_policy::beta || spec.policy == curriculum_policy::replay;
    if (field == "threshold") {
        spec.threshold = number(value, "curriculum.threshold", 0.0, 1.0);
    } else if (field == "max_prompt_chars") {
        spec.max_prompt_chars = integer(value, "curriculum.max_prompt_chars", 0, largest_prompt);
    } else if (field == "mixing") {
        spec.mixing = read_mixing(value);
    } else if (field == "held_out") {
        read_held_out(value, spec);
    } else if (field == "level" && spec.policy == curriculum_policy::fixed) {
        spec.level = read_level(value);
    } else if (field == "range" && (chooses || spec.policy == curriculum_policy::fixed)) {
        spec.range = read_range(value, spec.policy);
    } else if (field == "rule" && spec.policy == curriculum_policy::window) {
        spec.rule = pick<window_rule>(value, "curriculum.rule", rules);
    } else if (!(climbs && read_scale_field(field, value, spec)) &&
               !(chooses && read_chooser_field(field, value, spec)) &&
               !(spec.policy == curriculum_policy::adaptive && read_adaptive_field(field, value, spec)) &&
               !(spec.policy == curriculum_policy::stages && read_stage_field(field, value, spec))) {
        refuse("curriculum." + field + " is not a field of the policy " +
               name_of<curriculum_policy>(policies, spec.policy));
    }
}

}  // namespace

curriculum_spec parse_curriculum_spec(std::string_view text) {
    json const object = read_object(text, "curriculum", "policy");
    curriculum_spec spec;
    if (object.contains("policy")) {
        json const& name = object["policy"];
        spec.policy = pick<curriculum_policy>(name, "curriculum.policy", policies);
        spec.rule = name == "window_public_code" ? window_rule::public_code : window_rule::paper;
        spec.order = name == "mixed" ? stage_order::mixed : stage_order::in_turn;
    }
    for (auto const& [field, value] : object.items()) {
        if (field != "policy") {
            read_field(field, value, spec);
        }
    }
    if (object.contains("level") && object.contains("range")) {
        refuse("curriculum.range: a static curriculum has a level or a range, not both");
    }
    if (spec.policy == curriculum_policy::adaptive && spec.down >= spec.up) {
        refuse("curriculum.down: " + json(spec.down).dump() + " is not below up, " + json(spec.up).dump());
    }
    return spec;
}

std::string to_json(curriculum_spec const& spec) {
    json out{{"policy", name_of<curriculum_policy>(policies, spec.policy)}};
    switch (spec.policy) {
        case curriculum_policy::fixed:
            if (spec.range.empty()) {
                out["level"] = level_name(spec.level);
            } else {
                out["range"] = {spec.range.low, spec.range.high};
            }
            break;
        case curriculum_policy::beta:
        case curriculum_policy::replay:
            out["range"] = {steps_of(spec).low, steps_of(spec).high};
            out["truncated"] = name_of<cut_off_counts>(cut_offs, spec.truncated);
            break;
        case curriculum_policy::stages:
            out["mixture"] = spec.mixture;
            out["order"] = name_of<stage_order>(orders, spec.order);
            out["pass_steps"] = spec.pass_steps;
            out["passes"] = spec.passes;
            break;
        case curriculum_policy::window: out["rule"] = name_of<window_rule>(rules, spec.rule); [[fallthrough]];
        case curriculum_policy::adaptive:
            out["rollouts"] = spec.rollouts;
            out["samples"] = spec.samples;
            out["accuracy"] = spec.accuracy;
            out["width"] = spec.width;
            out["truncated"] = name_of<cut_off_counts>(cut_offs, spec.truncated);
            break;
    }
    if (spec.policy == curriculum_policy::adaptive) {
        out["up"] = spec.up;
        out["down"] = spec.down;
        out["z"] = spec.z;
        out["memory"] = spec.memory;
        out["choice"] = name_of<step_choice>(choices, spec.choice);
    } else if (spec.policy == curriculum_policy::beta) {
        out["target"] = spec.target;
        out["decay"] = spec.decay;
    } else if (spec.policy == curriculum_policy::replay) {
        out["stale"] = spec.stale;
        out["rank_power"] = spec.rank_power;
    }
    out["threshold"] = spec.threshold;
    out["max_prompt_chars"] = spec.max_prompt_chars;
    if (spec.mixing.on()) {
        out["mixing"] = written(spec.mixing);
    }
    if (!spec.held_out.empty()) {
        out["held_out"] = spec.held_out;
    }
    return out.dump();
}

}  // namespace optgap
