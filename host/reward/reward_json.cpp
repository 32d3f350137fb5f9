// Reward specs as text.

#include <algorithm>

#include "host/specs/spec_json.hpp"
#include "optgap/reward.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::pair<char const*, reward_shape> shapes[] = {
    {"forge", reward_shape::forge},           {"binary", reward_shape::binary},
    {"power", reward_shape::power},           {"threshold", reward_shape::threshold},
    {"normalized", reward_shape::normalized}, {"weighted", reward_shape::weighted}};
constexpr std::pair<char const*, anchor> anchors[] = {
    {"floor", anchor::floor}, {"greedy", anchor::greedy}, {"baseline", anchor::baseline}};
constexpr std::pair<char const*, infeasible_reward> infeasible_modes[] = {{"flat", infeasible_reward::flat},
                                                                          {"graded", infeasible_reward::graded}};
constexpr std::pair<char const*, truncation> truncations[] = {
    {"penalise", truncation::penalise}, {"zero", truncation::zero}, {"exclude", truncation::exclude}};
constexpr std::pair<char const*, long_rollouts> long_names[] = {{"all", long_rollouts::all},
                                                                {"wrong", long_rollouts::wrong}};
constexpr std::int32_t most_tokens = 1 << 30;

/// The constants a shape starts from.
reward_spec preset(reward_shape shape) {
    reward_spec spec;
    spec.shape = shape;
    if (shape == reward_shape::power) {
        spec.format_valid = 0.0;
        spec.format_broken = -0.5;
        spec.infeasible = -0.5;
        spec.exponent = 10;
    } else if (shape == reward_shape::binary || shape == reward_shape::threshold || shape == reward_shape::weighted) {
        spec.format_valid = 0.0;
        spec.format_broken = 0.0;
        spec.infeasible = 0.0;
    }
    return spec;
}

void read_steps(json const& value, reward_spec& spec) {
    if (!value.is_array() || value.empty() || value.size() > max_thresholds) {
        refuse("reward.steps: expected 1 to " + std::to_string(max_thresholds) + " pairs [quality, value]");
    }
    for (json const& pair : value) {
        std::string const field = "reward.steps[" + std::to_string(spec.thresholds) + "]";
        if (!pair.is_array() || pair.size() != 2) {
            refuse(field + ": " + pair.dump() + " is not a pair [quality, value]");
        }
        double const quality = number(pair[0], field + "[0]", 0.0, 1.0);
        if (spec.thresholds > 0 && quality <= spec.threshold_quality[spec.thresholds - 1]) {
            refuse(field + "[0]: " + pair[0].dump() + " is not above the step before it");
        }
        spec.threshold_quality[spec.thresholds] = quality;
        spec.threshold_value[spec.thresholds] = number(pair[1], field + "[1]", -largest, largest);
        ++spec.thresholds;
    }
}

void read_weights(json const& value, reward_spec& spec) {
    if (!value.is_object() || value.empty()) {
        refuse("reward.weights: expected an object such as {\"format\": 0.1, \"quality\": 1}");
    }
    for (auto const& [name, weight] : value.items()) {
        std::int32_t const at = pick<std::int32_t>(name, "reward.weights", reward_components);
        spec.weight[at] = number(weight, "reward.weights." + name, -largest, largest);
    }
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
            spec.length_limit = integer(setting, field, 1, most_tokens);
        } else if (name == "buffer") {
            spec.length_buffer = integer(setting, field, 1, most_tokens);
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

/// Fields that only one shape reads are refused for another, so that no setting is silently without effect.
void require_shape(reward_spec const& spec, std::string const& field, reward_shape needed, char const* name) {
    if (spec.shape != needed) {
        refuse("reward." + field + " belongs to the shape " + name);
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
    } else if (field == "pays") {
        require_shape(spec, field, reward_shape::binary, "binary");
        spec.binary_feasible = pick<std::int32_t>(value, "reward.pays", {{"optimal", 0}, {"feasible", 1}});
    } else if (field == "exponent") {
        require_shape(spec, field, reward_shape::power, "power");
        spec.exponent = integer(value, "reward.exponent", 1, 64);
    } else if (field == "steps") {
        require_shape(spec, field, reward_shape::threshold, "threshold");
        read_steps(value, spec);
    } else if (field == "from" || field == "to") {
        require_shape(spec, field, reward_shape::normalized, "normalized");
        (field == "from" ? spec.from : spec.to) = pick<anchor>(value, "reward." + field, anchors);
    } else if (field == "weights") {
        require_shape(spec, field, reward_shape::weighted, "weighted");
        read_weights(value, spec);
    } else {
        refuse(
            "reward." + field +
            " is not known: expected shape, pays, exponent, steps, from, to, weights, format_valid, format_broken, "
            "infeasible_value, infeasible, graded_span, proven_bonus, length, range, truncated, grid or format_gates");
    }
}

void check_whole(reward_spec const& spec, bool has_weights) {
    if (spec.shape == reward_shape::threshold && spec.thresholds == 0) {
        refuse("reward.steps: missing, the shape threshold needs it");
    }
    if (spec.shape == reward_shape::weighted && !has_weights) {
        refuse("reward.weights: missing, the shape weighted needs it");
    }
    if (spec.shape == reward_shape::normalized && spec.from == spec.to) {
        refuse("reward.from and reward.to: two different anchors are needed");
    }
    bool const constants_apply = spec.shape != reward_shape::weighted;
    if (!constants_apply && (spec.infeasible_mode == infeasible_reward::graded || spec.proven_bonus != 0.0)) {
        refuse("reward.infeasible and reward.proven_bonus have no part in the shape weighted: weigh components");
    }
}

}  // namespace

reward_spec parse_reward_spec(std::string_view text) {
    json const object = read_object(text, "reward", "shape");
    reward_spec spec = preset(object.contains("shape") ? pick<reward_shape>(object["shape"], "reward.shape", shapes)
                                                       : reward_shape::forge);
    for (auto const& [field, value] : object.items()) {
        if (field != "shape") {
            read_field(field, value, spec);
        }
    }
    if (!object.contains("graded_span")) {
        spec.graded_span = std::max(0.0, std::min(1.0, -spec.infeasible));
    }
    if (spec.infeasible_mode == infeasible_reward::graded && spec.graded_span == 0.0) {
        refuse("reward.infeasible: graded needs an infeasible_value below 0, or a graded_span");
    }
    check_whole(spec, object.contains("weights"));
    return spec;
}

std::string to_json(reward_spec const& spec) {
    json out{{"shape", name_of<reward_shape>(shapes, spec.shape)}};
    switch (spec.shape) {
        case reward_shape::binary: out["pays"] = spec.binary_feasible != 0 ? "feasible" : "optimal"; break;
        case reward_shape::power: out["exponent"] = spec.exponent; break;
        case reward_shape::threshold:
            for (std::int32_t i = 0; i < spec.thresholds; ++i) {
                out["steps"].push_back({spec.threshold_quality[i], spec.threshold_value[i]});
            }
            break;
        case reward_shape::normalized:
            out["from"] = name_of<anchor>(anchors, spec.from);
            out["to"] = name_of<anchor>(anchors, spec.to);
            break;
        case reward_shape::weighted:
            for (auto const& [name, at] : reward_components) {
                out["weights"][name] = spec.weight[at];
            }
            break;
        case reward_shape::forge: break;
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

}  // namespace optgap
