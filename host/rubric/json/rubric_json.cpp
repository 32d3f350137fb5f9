// Reads a rubric's JSON. Checks every field, ignores none.

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "host/rubric/json/fields.hpp"

namespace optgap::rubrics {
namespace {

constexpr int deepest_json = 64;
constexpr std::size_t longest_json = std::size_t(16) << 20;

/// Refuses a text that nests more deeply than a rubric does.
void require_shallow(std::string_view text) {
    if (text.size() > longest_json) {
        throw field_error("chain", fmt::format("has {} bytes, expected at most {}", text.size(), longest_json));
    }
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest_json) {
                throw field_error("chain", fmt::format("nests deeper than {}", deepest_json));
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

word_stems stems_at(json const& value, std::string const& field) {
    std::string const said = value.is_string() ? value.get<std::string>() : std::string();
    if (said != "none" && said != "snowball:english") {
        throw field_error(field, said.starts_with("snowball:")
                                     ? fmt::format("has no rules for {} here, expected snowball:english or none",
                                                   said.substr(std::size("snowball:") - 1, 60))
                                     : std::string("must be \"snowball:english\" or \"none\""));
    }
    return said == "none" ? word_stems::none : word_stems::english;
}

void read_text_settings(json const& given, text_settings& out) {
    require_object(given, "text", {"part", "fold", "normal", "typography", "boundary", "strip", "stem"});
    for (auto const& [name, value] : given.items()) {
        std::string const field = "text." + name;
        if (name == "part") {
            out.part = choice_at<text_part>(value, field,
                                            {{"all", text_part::all},
                                             {"answer", text_part::answer},
                                             {"outside_fences", text_part::outside_fences}});
        } else if (name == "fold") {
            out.fold = choice_at<fold_rule>(value, field, {{"none", fold_rule::none}, {"simple", fold_rule::simple}});
        } else if (name == "normal") {
            out.normal = choice_at<normal_form>(
                value, field, {{"none", normal_form::none}, {"nfc", normal_form::nfc}, {"nfkc", normal_form::nfkc}});
            if (out.normal != normal_form::none && !has_normal_forms()) {
                throw field_error(field, "needs a build with utf8proc, which this one is not");
            }
        } else if (name == "boundary") {
            out.boundary = choice_at<keyword_boundary>(value, field,
                                                       {{"auto", keyword_boundary::automatic},
                                                        {"word", keyword_boundary::word},
                                                        {"none", keyword_boundary::none}});
        } else if (name == "stem") {
            out.stem = stems_at(value, field);
        } else {
            (name == "strip" ? out.strip : out.typography) = flag_at(value, field);
        }
    }
    if (out.stem != word_stems::none && (out.fold == fold_rule::none || out.boundary == keyword_boundary::none)) {
        bool const fold = out.fold == fold_rule::none;
        throw field_error("text.stem", fold ? "is of lower-case words, expected text.fold \"simple\""
                                            : "is of whole words, expected text.boundary \"auto\" or \"word\"");
    }
}

void read_style(json const& given, rubric_data& out) {
    for (json const& one : array_at(given, "style", limits::checks)) {
        std::string const field = fmt::format("style[{}]", out.style.size());
        if (!one.is_object()) {
            throw field_error(field, "must be an object such as {\"check\": \"words\", \"min\": 50}");
        }
        check_data check;
        check.value = one;
        if (one.contains("weight")) {
            check.weight = read_micro(one["weight"], field + ".weight", 0);
        }
        if (one.contains("name")) {
            check.name = text_at(one["name"], field + ".name", 4096);
        }
        if (out.which == preset::no_weights) {
            check.weight = 0;  // set below, when the number of checks is known
        }
        check.value.erase("weight");
        check.value.erase("name");
        out.style.push_back(std::move(check));
    }
    if (out.which == preset::no_weights && !out.style.empty()) {
        for (std::size_t i = 0; i < out.style.size();
             ++i) {  // equal parts of a whole; the first ones take the remainder
            auto const count = std::int64_t(out.style.size());
            out.style[i].weight = micro / count + (std::int64_t(i) < micro % count ? 1 : 0);
        }
    }
}

void read_rules(json const& given, check_rules& out) {
    require_object(given, "rules", {"mode", "loose", "sentences"});
    for (auto const& [name, value] : given.items()) {
        if (name == "mode") {
            out.mode = choice_at<check_mode>(value, "rules.mode",
                                             {{"peer", check_mode::peer}, {"strict", check_mode::strict}});
        } else if (name == "loose") {
            out.loose = flag_at(value, "rules.loose");
        } else {
            out.sentences = choice_at<sentence_rule>(
                value, "rules.sentences", {{"plain", sentence_rule::plain}, {"regex", sentence_rule::regex}});
        }
    }
}

void read_gates(json const& given, rubric_data& out) {
    for (bool& on : out.has_gate) {
        on = false;
    }
    for (json const& one : array_at(given, "gates", std::size_t(gate::count))) {
        out.has_gate[std::size_t(choice_at<gate>(one, "gates",
                                                 {{"density", gate::density},
                                                  {"length", gate::length},
                                                  {"repetition", gate::repetition},
                                                  {"copy", gate::copy},
                                                  {"hidden", gate::hidden}}))] = true;
    }
}

void read_total(json const& given, rubric_data& out) {
    require_object(given, "total", {"content", "style", "divide", "grid"});
    if (given.contains("content")) {
        out.content_weight = read_micro(given["content"], "total.content", 0);
    }
    if (given.contains("style")) {
        out.style_weight = read_micro(given["style"], "total.style", 0);
    }
    if ((out.points.empty() && out.content_weight > 0) || (out.style.empty() && out.style_weight > 0)) {
        throw field_error(out.points.empty() ? "total.content" : "total.style",
                          "weighs what the rubric does not have, expected 0 or nothing");
    }
    out.divide = given.contains("divide") ? read_micro(given["divide"], "total.divide", 1)
                                          : std::max<std::int64_t>(1, out.content_weight + out.style_weight);
    if (given.contains("grid")) {
        json const& grid = given["grid"];
        if (!grid.is_number() || !(grid.get<double>() >= 0) || grid.get<double>() > 1) {
            throw field_error("total.grid", "must be a number from 0 to 1");
        }
        out.grid = grid.get<double>();
    }
}

void read_limits(json const& given, rubric_data& out) {
    require_object(given, "limits", {"repetition", "copy", "hidden"});
    for (auto const& [name, value] : given.items()) {
        std::int64_t const number = count_at(value, "limits." + name, 1000);
        (name == "repetition" ? out.own_repetition : name == "copy" ? out.own_copy : out.own_hidden) = number;
    }
}

void read_floors(json const& given, rubric_data& out) {
    if (!given.is_object() || given.size() > 16) {
        throw field_error("floors", "must be an object of at most 16 numbers");
    }
    for (auto const& [name, value] : given.items()) {
        if (!value.is_number() || !(std::abs(value.get<double>()) <= 1e6)) {
            throw field_error("floors." + name.substr(0, 60), "must be a number");
        }
        out.floors.emplace_back(name, value.get<double>());
    }
}

/// Refuses fields that a preset fixes, since they would have no effect.
void require_own_settings(json const& given, preset which) {
    for (char const* const name : {"text", "gates", "total", "limits"}) {
        if (given.contains(name)) {
            throw field_error(name, fmt::format("is fixed by preset {}, expected nothing here", name_of(which)));
        }
    }
    if (given.contains("content")) {
        for (char const* const name : {"measure", "denominator", "combine"}) {
            if (given["content"].contains(name)) {
                throw field_error(fmt::format("content.{}", name),
                                  fmt::format("is fixed by preset {}, expected nothing here", name_of(which)));
            }
        }
    }
}

}  // namespace

std::int64_t read_micro(json const& value, std::string const& field, std::int64_t least) {
    double const number = value.is_number() ? value.get<double>() : -1.0;
    if (!(number >= 0) || number > 1e6) {
        throw field_error(field, "must be a number from 0 to 1000000");
    }
    std::int64_t const units = std::llrint(number * double(micro));
    if (double(units) / double(micro) != number) {
        throw field_error(field, "has more than six decimal places");
    }
    if (units < least) {
        throw field_error(field, "must be above 0");
    }
    return units;
}

rubric_data read_rubric(std::string_view text, std::optional<preset> as) {
    require_shallow(text);
    json const given = json::parse(text, nullptr, false);
    if (given.is_discarded()) {
        throw field_error("chain", "is no JSON");
    }
    require_object(given, "chain",
                   {"chain", "preset", "text", "content", "style", "rules", "gates", "total", "limits", "references",
                    "prompt", "floors", "hackable"});
    if (!given.contains("chain") || given["chain"] != 1) {
        throw field_error("chain.chain", given.contains("chain")
                                             ? "is a version that this build does not know, expected 1"
                                             : "missing: the format's version, 1");
    }
    rubric_data out;
    if (given.contains("preset")) {
        try {
            out.which = preset_named(text_at(given["preset"], "preset", 60));
        } catch (field_error const&) {
            throw;
        } catch (error const& unknown) {
            throw field_error("preset", unknown.what());
        }
    }
    preset const own = out.which;
    if (!out.open()) {
        require_own_settings(given, own);
    }
    out.which = as.value_or(own);
    // Presets depend on what was read so far. The lists' rules depend on the preset, so its text settings come first.
    apply_preset(out);
    bool const settings_count = out.open() && own == preset::ours;
    json const content = given.contains("content") ? given["content"] : json();
    if (given.contains("content")) {
        require_object(content, "content", {"measure", "denominator", "combine", "points"});
        if (content.contains("points")) {
            read_points(content["points"], out);
        }
    }
    if (given.contains("style")) {
        read_style(given["style"], out);
    }
    if (out.points.empty() && out.style.empty()) {
        throw field_error("content", "is empty, and so is style: nothing is to be checked");
    }
    apply_preset(out);
    if (given.contains("rules")) {
        read_rules(given["rules"], out.rules);
    }
    if (settings_count) {
        if (given.contains("text")) {
            read_text_settings(given["text"], out.text);
        }
        if (content.contains("measure")) {
            out.measure = choice_at<content_measure>(content["measure"], "content.measure",
                                                     {{"lcs", content_measure::lcs},
                                                      {"recall", content_measure::recall},
                                                      {"f1", content_measure::f1},
                                                      {"found", content_measure::found},
                                                      {"order", content_measure::order}});
        }
        if (content.contains("denominator") && content["denominator"] != "max") {
            throw field_error("content.denominator",
                              "must be \"max\"; \"measure\": \"recall\" divides by the reference's");
        }
        if (content.contains("combine") && content["combine"] != "max") {
            throw field_error("content.combine", "must be \"max\"");
        }
        if (given.contains("gates")) {
            read_gates(given["gates"], out);
        }
        if (given.contains("total")) {
            read_total(given["total"], out);
        }
        if (given.contains("limits")) {
            read_limits(given["limits"], out);
        }
    }
    if (given.contains("references")) {
        for (json const& one : array_at(given["references"], "references", limits::references)) {
            out.references.push_back(
                text_at(one, fmt::format("references[{}]", out.references.size()), limits::reference_bytes));
        }
        for (std::size_t p = 0; p < out.points.size(); ++p) {
            for (std::size_t r = 0; r < out.points[p].references.size(); ++r) {
                if (std::size_t(out.points[p].references[r].of) >= out.references.size()) {
                    throw field_error(fmt::format("content.points[{}].references[{}].of", p, r),
                                      fmt::format("is {}, but there are {} references", out.points[p].references[r].of,
                                                  out.references.size()));
                }
            }
        }
    }
    if (given.contains("prompt")) {
        out.prompt = text_at(given["prompt"], "prompt", limits::reference_bytes);
    }
    if (out.which == own) {
        if (given.contains("floors")) {
            read_floors(given["floors"], out);
        }
        if (given.contains("hackable")) {
            out.hackable = flag_at(given["hackable"], "hackable");
        }
    } else {
        // Sequences and floors were made with other text settings. They are made again where the references are
        // present.
        rubric_data before;
        before.which = own;
        apply_preset(before);
        if (given.contains("text") && own == preset::ours) {
            read_text_settings(given["text"], before.text);
        }
        if (before.text != out.text) {
            for (point_data& point : out.points) {
                for (reference_data& reference : point.references) {
                    reference.has_sequence = false;
                    reference.sequence.clear();
                }
            }
            if (out.references.empty() && !out.points.empty()) {
                throw field_error("preset",
                                  fmt::format("is {}, and without `references` its sequences cannot be made for "
                                              "preset {}",
                                              name_of(own), name_of(out.which)));
            }
        }
    }
    return out;
}

}  // namespace optgap::rubrics
