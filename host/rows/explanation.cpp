#include "host/rows/explanation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

constexpr std::size_t max_feedback_bytes = 1000;
constexpr std::size_t max_sentence_bytes = 420;
constexpr std::string_view level_names[] = {"verdict", "rule", "place"};

std::string painted(fact const& one, painter const& paint) {
    switch (one.colour) {
        case tone::good: return paint.good(one.text);
        case tone::bad: return paint.bad(one.text);
        default: return one.text;
    }
}

std::string check_line(fact const& one, painter const& paint) {
    if (one.colour == tone::plain) {
        return paint.faint(fmt::format("  -    {:<18}{}", one.name, one.text)) + "\n";
    }
    return fmt::format("  {}  {:<18}{}\n", one.colour == tone::good ? paint.good("yes") : paint.bad("no "), one.name,
                       one.text);
}

std::string step_lines(std::span<reward_step const> steps) {
    std::size_t name_width = 12, how_width = 58;
    for (reward_step const& one : steps) {
        name_width = std::max(name_width, one.name.size());
        how_width = std::max(how_width, one.how.size());
    }
    std::string out;
    for (auto const& [name, how, value] : steps) {
        out += fmt::format("  {:<{}} {:<{}} {:>14}", name, name_width, how, how_width, value);
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    }
    return out;
}

}  // namespace

feedback_level feedback_level_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(level_names); ++i) {
        if (level_names[i] == name) {
            return feedback_level(i);
        }
    }
    misuse(fmt::format("feedback '{}': expected {}", one_line(name, 60), fmt::join(level_names, ", ")));
}

std::string feedback_text(finding const& found, feedback_level level) {
    std::string out = found.formed ? "The form is right." : "The form is wrong.";
    if (found.formed || found.sound) {
        out += fmt::format(" The {} {}.", found.subject, found.sound ? "keeps every rule" : "breaks a rule");
    }
    if (level >= feedback_level::rule && !found.rule.empty()) {
        out += " " + as_sentence(one_line(found.rule, max_sentence_bytes));
    }
    if (level >= feedback_level::place && !found.place.empty()) {
        out += " " + as_sentence(one_line(found.place, max_sentence_bytes));
    }
    return one_line(out, max_feedback_bytes);
}

std::string explanation_text(explanation const& of, std::int64_t number, painter const& paint) {
    std::string out = paint.title(fmt::format("row {}: {}", number, of.title)) + "\n";
    out += of.about.empty() ? "" : of.about + "\n";
    for (section const& one : of.sections) {
        out += "\n";
        out += one.title.empty() ? "" : paint.title(one.title) + "\n";
        if (one.has_excerpt) {
            out += marked_excerpt(one.excerpt, one.marked, paint);
            out += one.facts.empty() ? "" : "\n";
        }
        for (fact const& line : one.facts) {
            out += fmt::format("{:<10}{}\n", line.name, painted(line, paint));
        }
        for (fact const& line : one.checks) {
            out += check_line(line, paint);
        }
        out += step_lines(one.steps);
    }
    return out;
}

}  // namespace optgap::rows
