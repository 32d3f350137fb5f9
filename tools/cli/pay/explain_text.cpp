#include "tools/cli/pay/explain_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "kernels/reward/reward.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t shown_before = 400;
constexpr std::size_t shown_inside = 800;
constexpr std::size_t shown_after = 200;

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

/// `at`, moved off the inside of a UTF-8 character.
std::size_t character_start(std::string_view text, std::size_t at) {
    while (at < text.size() && at > 0 && continues_character(text[at])) {
        --at;
    }
    return at;
}

}  // namespace

void step_table::add(std::string name, std::string how, std::string value) {
    width_ = std::max(width_, how.size());
    steps_.push_back({std::move(name), std::move(how), std::move(value)});
}

std::string step_table::text() const {
    std::string out;
    std::size_t name_width = 12;
    for (step const& one : steps_) {
        name_width = std::max(name_width, one.name.size());
    }
    for (auto const& [name, how, value] : steps_) {
        out += fmt::format("  {:<{}} {:<{}} {:>14}", name, name_width, how, width_, value);
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    }
    return out;
}

std::string signed_number(double value) { return fmt::format("{}{:.10g}", value < 0 ? "" : "+", value); }

std::string painter::paint(char const* style, std::string_view text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
}

std::string painter::mark(std::string_view text) const {
    return colour_ ? paint("7", text) : fmt::format(">>>{}<<<", text);
}

std::string printable(std::string_view text) {
    std::string out;
    for (char const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return printable(text);
    }
    std::size_t const head = character_start(text, most * 3 / 4);
    std::size_t const tail = character_start(text, text.size() - most / 4);
    return fmt::format("{} [... {} bytes ...] {}", printable(text.substr(0, head)), tail - head,
                       printable(text.substr(tail)));
}

std::string marked_excerpt(std::string_view text, text_span span, painter const& paint) {
    auto const begin = std::size_t(span.begin), end = std::size_t(span.end);
    std::string out;
    if (end == 0) {
        out = shortened(text, shown_before + shown_after);
    } else {
        std::size_t const from = begin <= shown_before ? 0 : character_start(text, begin - shown_before);
        std::size_t const to =
            text.size() - end <= shown_after ? text.size() : character_start(text, end + shown_after);
        if (from > 0) {
            out += paint.faint(fmt::format("[... {} bytes ...]\n", from));
        }
        out += printable(text.substr(from, begin - from));
        out += paint.mark(shortened(text.substr(begin, end - begin), shown_inside));
        out += printable(text.substr(end, to - end));
        if (to < text.size()) {
            out += paint.faint(fmt::format("\n[... {} bytes ...]", text.size() - to));
        }
    }
    std::string indented = "  | ";
    for (char const c : out) {
        indented += c;
        indented += c == '\n' ? "  | " : "";
    }
    return indented + "\n";
}

std::string sentence_for(std::int32_t code, format_spec const& format) {
    switch (code) {
        case code_format_missing_reasoning:
            return format.markers.empty()
                       ? "there is no reasoning part before the answer"
                       : fmt::format("there is no non-empty reasoning part {}...{} before the answer",
                                     format.opened_in_prompt ? "" : format.markers[0].open, format.markers[0].close);
        case code_format_missing_answer:
            switch (format.place) {
                case answer_place::boxed: return "there is no \\boxed{...}";
                case answer_place::line: return "there is no \"Answer:\"";
                case answer_place::fenced: return "there is no complete fenced block";
                default: return fmt::format("there is no answer part {}...{}", format.answer_open, format.answer_close);
            }
        case code_format_repeated: return "the reasoning or the answer part stands there more than once";
        case code_format_trailing: return "something other than white space and end-of-turn tokens follows the answer";
        case code_truncated: return "the text was cut off before it was complete";
        case code_unparsable: return "the answer's text is no list of integers and no word the task accepts";
        case code_bad_depth: return "the lists are nested in another way than the task asks for";
        case code_not_integer: return "one of the values is not a plain integer";
        case code_overflow: return "one of the values does not fit into 32 bits";
        case code_out_of_range: return "one of the values is outside of its range";
        case code_repeated: return "one of the values stands there twice";
        case code_wrong_length: return "the list has the wrong length";
        case code_empty: return "the list is empty, or earns nothing though something can be earned";
        default: return {};
    }
}

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

bool is_worthless(verdict const& found, baseline const& base, sense direction) {
    return found.feasible() && base.objective != no_objective && code_against(found, base, direction) == code_empty;
}

std::string reward_steps::text() const {
    reward_row row;
    reward_parts const parts = write_reward(row, {found, format_code, how, length, base, direction}, spec);
    bool const well_formed = row.format > 0;
    bool const whole = shape_of(spec.shape).whole;
    step_table out;
    out.add("format", well_formed ? "well formed" : "broken", whole ? "" : signed_number(parts.format));
    std::string const value = whole ? "" : signed_number(parts.feasibility);
    if (row.feasible > 0) {
        std::string words = quality_words(found, base, direction);
        if (row.raw_ratio > 1) {
            words += fmt::format(" = {:.6g}, clipped to 1", row.raw_ratio);
        }
        std::string const shape = shape_words(spec, parts, base, direction);
        out.add("feasibility", words, shape.empty() && spec.proven_bonus == 0.0 ? value : "");
        if (!shape.empty() || spec.proven_bonus != 0.0) {
            bool const bonus = spec.proven_bonus != 0.0 && row.optimal > 0;
            out.add("shape",
                    shape + (bonus ? fmt::format("{}{:+g} for a proven optimum", shape.empty() ? "" : ", ",
                                                 spec.proven_bonus)
                                   : ""),
                    value);
        }
    } else if (spec.infeasible_mode == infeasible_reward::graded && (well_formed || spec.format_gates == 0)) {
        std::int64_t const most = std::max<std::int64_t>(1, found.violation_max);
        std::int64_t const violation = found.feasible() ? most : std::min(found.violation, most);
        out.add("feasibility",
                fmt::format("infeasible: {} + {} (1 - violation {} / {})", spec.infeasible, spec.graded_span, violation,
                            most),
                value);
    } else {
        bool const gated = !well_formed && spec.format_gates != 0 && found.feasible();
        out.add("feasibility", gated ? "the answer is feasible, but a broken format voids it" : "infeasible", value);
    }
    if (reads_lengths(spec)) {
        out.add("length",
                spec.length_on == long_rollouts::wrong && row.feasible > 0
                    ? fmt::format("{} tokens; only wrong answers pay for theirs", length)
                    : fmt::format("{} tokens: free up to {}, {:g} lost at {}", length,
                                  spec.length_limit - spec.length_buffer, spec.length_factor, spec.length_limit),
                signed_number(parts.length));
    }
    out.add("sum", whole ? whole_words(spec, parts, row) : "", signed_number(parts.sum));
    if (spec.range_low != spec.range_high) {
        reward_limits const natural = natural_limits(spec);
        out.add("range",
                fmt::format("[{:g}, {:g}] to [{:g}, {:g}]", natural.low, natural.high, spec.range_low, spec.range_high),
                "");
    }
    if (row.truncated != 0 && spec.truncated != truncation::penalise) {
        out.add("cut off", spec.truncated == truncation::zero ? "such rows earn 0" : "such rows have no reward", "");
    } else if (spec.grid > 0) {
        out.add("rounded",
                fmt::format("to a multiple of {}", spec.grid == 1.0 / 4096 ? "1/4096" : fmt::format("{:g}", spec.grid)),
                "");
    }
    out.add("reward", "", std::isnan(row.reward) ? "none" : fmt::format("{:.10g}", row.reward));
    if (row.feasible > 0) {
        out.add("normalized",
                base.floor == no_objective
                    ? ""
                    : fmt::format("between the floor policy's {} (0) and the baseline (1)", base.floor),
                fmt::format("{:.6g}", row.normalized));
    }
    return out.text();
}

}  // namespace optgap::cli
