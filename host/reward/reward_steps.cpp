#include "host/reward/reward_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "kernels/reward/reward.hpp"

namespace optgap {
namespace {

/// A parameter's value for people; an anchor with its quality, steps by their number.
std::string value_words(parameter const& of, reward_spec const& spec, baseline const& base, sense direction) {
    char const* const at = reinterpret_cast<char const*>(&spec) + of.at;
    std::int32_t whole = 0;
    double real = 0.0;
    switch (of.kind) {
        case parameter_kind::number: std::memcpy(&real, at, sizeof real); return fmt::format("{:g}", real);
        case parameter_kind::steps: return std::to_string(spec.thresholds);
        case parameter_kind::components: return {};
        default: std::memcpy(&whole, at, sizeof whole);
    }
    if (of.kind == parameter_kind::integer) {
        return std::to_string(whole);
    }
    std::string const words = (of.words.empty() ? of.choices : of.words)[std::size_t(whole)];
    return of.kind == parameter_kind::choice
               ? words
               : fmt::format("{} ({:.6g})", words, anchor_quality(anchor(whole), base, direction));
}

/// A shape in words, with the numbers it works on.
std::string shape_words(reward_spec const& spec, reward_parts const& parts, baseline const& base, sense direction) {
    shape_info const& info = *shape_of(spec.shape).info;
    bool const by_quality = spec.shape == reward_shape::forge || shape_of(spec.shape).whole;
    std::string out = *info.words != '\0' || by_quality ? info.words : info.formula;
    auto const put = [&](std::string const& name, std::string const& value) {
        if (auto const at = out.find(name); at != std::string::npos) {
            out.replace(at, name.size(), value);
        }
    };
    put("{quality}", fmt::format("{:.6g}", parts.quality));
    for (parameter const& each : info.parameters) {
        put("{" + std::string(each.name) + "}", value_words(each, spec, base, direction));
    }
    return out;
}

std::string quality_words(verdict const& found, baseline const& base, sense direction) {
    if (!found.feasible()) {
        return "no answer exists, and that is what it says";
    }
    if (base.objective == no_objective) {
        return "no baseline is known";
    }
    return direction == sense::maximise
               ? fmt::format("quality = objective / baseline = {} / {}", found.objective, base.objective)
               : fmt::format("quality = baseline / objective = {} / {}", base.objective, found.objective);
}

/// The sum of a shape that is the whole reward.
std::string whole_words(reward_spec const& spec, reward_parts const& parts, reward_row const& row) {
    if (spec.shape != reward_shape::weighted) {
        return shape_of(spec.shape).info->formula;
    }
    constexpr char const* names[component_count] = {"format", "feasible", "quality", "normalized", "optimal"};
    double const values[component_count] = {double(row.format), double(row.feasible), parts.quality,
                                            double(row.normalized), double(row.optimal)};
    std::string out;
    for (std::int32_t i = 0; i < component_count; ++i) {
        if (spec.weight[i] != 0.0) {
            out += fmt::format("{}{:g} * {} {:.6g}", out.empty() ? "" : " + ", spec.weight[i], names[i], values[i]);
        }
    }
    return out;
}

}  // namespace

std::string signed_number(double value) { return fmt::format("{}{:.10g}", value < 0 ? "" : "+", value); }

bool is_worthless(verdict const& found, baseline const& base, sense direction) {
    return found.feasible() && base.objective != no_objective && code_against(found, base, direction) == code_empty;
}

std::vector<reward_step> reward_steps::lines() const {
    reward_row row;
    reward_parts const parts = write_reward(row, {found, format_code, how, length, base, direction}, spec);
    bool const well_formed = row.format > 0;
    bool const whole = shape_of(spec.shape).whole;
    std::vector<reward_step> out;
    auto const add = [&out](std::string name, std::string words, std::string result) {
        out.push_back({std::move(name), std::move(words), std::move(result)});
    };
    add("format", well_formed ? "well formed" : "broken", whole ? "" : signed_number(parts.format));
    std::string const value = whole ? "" : signed_number(parts.feasibility);
    if (row.feasible > 0) {
        std::string words = quality_words(found, base, direction);
        if (row.raw_ratio > 1) {
            words += fmt::format(" = {:.6g}, clipped to 1", row.raw_ratio);
        }
        std::string const shape = shape_words(spec, parts, base, direction);
        add("feasibility", words, shape.empty() && spec.proven_bonus == 0.0 ? value : "");
        if (!shape.empty() || spec.proven_bonus != 0.0) {
            bool const bonus = spec.proven_bonus != 0.0 && row.optimal > 0;
            add("shape",
                shape + (bonus
                             ? fmt::format("{}{:+g} for a proven optimum", shape.empty() ? "" : ", ", spec.proven_bonus)
                             : ""),
                value);
        }
    } else if (spec.infeasible_mode == infeasible_reward::graded && (well_formed || spec.format_gates == 0)) {
        std::int64_t const most = std::max<std::int64_t>(1, found.violation_max);
        std::int64_t const violation = found.feasible() ? most : std::min(found.violation, most);
        add("feasibility",
            fmt::format("infeasible: {} + {} (1 - violation {} / {})", spec.infeasible, spec.graded_span, violation,
                        most),
            value);
    } else {
        bool const gated = !well_formed && spec.format_gates != 0 && found.feasible();
        add("feasibility", gated ? "the answer is feasible, but a broken format voids it" : "infeasible", value);
    }
    if (reads_lengths(spec)) {
        add("length",
            spec.length_on == long_rollouts::wrong && row.feasible > 0
                ? fmt::format("{} tokens; only wrong answers are penalised for theirs", length)
                : fmt::format("{} tokens: free up to {}, {:g} lost at {}", length,
                              spec.length_limit - spec.length_buffer, spec.length_factor, spec.length_limit),
            signed_number(parts.length));
    }
    add("sum", whole ? whole_words(spec, parts, row) : "", signed_number(parts.sum));
    if (spec.range_low != spec.range_high) {
        reward_limits const natural = natural_limits(spec);
        add("range",
            fmt::format("[{:g}, {:g}] to [{:g}, {:g}]", natural.low, natural.high, spec.range_low, spec.range_high),
            "");
    }
    if (row.truncated != 0 && spec.truncated != truncation::penalise) {
        add("cut off", spec.truncated == truncation::zero ? "such rows earn 0" : "such rows have no reward", "");
    } else if (spec.grid > 0) {
        add("rounded",
            fmt::format("to a multiple of {}", spec.grid == 1.0 / 4096 ? "1/4096" : fmt::format("{:g}", spec.grid)),
            "");
    }
    add("reward", "", std::isnan(row.reward) ? "none" : fmt::format("{:.10g}", row.reward));
    if (row.feasible > 0) {
        add("normalized",
            base.floor == no_objective
                ? ""
                : fmt::format("between the floor policy's {} (0) and the baseline (1)", base.floor),
            fmt::format("{:.6g}", row.normalized));
    }
    return out;
}

}  // namespace optgap
