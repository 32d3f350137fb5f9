// Writes a rubric's JSON: one order, every field.

#include <fmt/format.h>

#include "host/rubric/rubric_data.hpp"

namespace optgap::rubrics {
namespace {

json reference_json(reference_data const& reference, bool gated) {
    json out;
    json& keywords = out["keywords"] = json::array();
    for (std::vector<std::string> const& forms : reference.keywords) {
        keywords.push_back(forms.size() == 1 ? json(forms[0]) : json(forms));
    }
    json& sequence = out["sequence"] = json::array();
    for (sequence_item const& item : reference.sequence) {
        std::visit([&](auto const& value) { sequence.push_back(value); }, item);
    }
    out["of"] = reference.of;
    if (gated || reference.words >= 0) {
        out["words"] = reference.words;
    }
    return out;
}

json text_json(text_settings const& text) {
    constexpr char const* parts[] = {"all", "answer", "outside_fences"};
    constexpr char const* folds[] = {"none", "simple", "python"};
    constexpr char const* forms[] = {"none", "nfc", "nfkc"};
    constexpr char const* boundaries[] = {"auto", "word", "none"};
    json out{{"part", parts[std::size_t(text.part)]},
             {"fold", folds[std::size_t(text.fold)]},
             {"normal", forms[std::size_t(text.normal)]},
             {"typography", text.typography},
             {"boundary", boundaries[std::size_t(text.boundary)]},
             {"strip", text.strip}};
    if (text.stem != word_stems::none) {  // else the keys of rubrics without it would change
        out["stem"] = "snowball:english";
    }
    return out;
}

json content_json(rubric_data const& rubric) {
    constexpr char const* measures[] = {"lcs", "recall", "f1", "found", "order"};
    json out = json::object();
    if (rubric.open()) {
        out["measure"] = measures[std::size_t(rubric.measure)];
    }
    json& points = out["points"] = json::array();
    for (point_data const& point : rubric.points) {
        json one = json::object();
        if (!point.name.empty()) {
            one["name"] = point.name;
        }
        if (rubric.open()) {
            one["weight"] = micro_json(point.weight);
        }
        json& references = one["references"] = json::array();
        for (reference_data const& reference : point.references) {
            references.push_back(reference_json(reference, false));
        }
        points.push_back(std::move(one));
    }
    return out;
}

json style_json(rubric_data const& rubric) {
    json out = json::array();
    for (check_data const& check : rubric.style) {
        json one = check.value;
        if (!check.name.empty()) {
            one["name"] = check.name;
        }
        one["weight"] = micro_json(check.weight);
        out.push_back(std::move(one));
    }
    return out;
}

void write_own_settings(rubric_data const& rubric, json& out) {
    json& gates = out["gates"] = json::array();
    for (std::size_t i = 0; i < std::size_t(gate::count); ++i) {
        if (rubric.has_gate[i]) {
            gates.push_back(name_of(gate(i)));
        }
    }
    out["total"] = {{"content", micro_json(rubric.content_weight)},
                    {"style", micro_json(rubric.style_weight)},
                    {"divide", micro_json(rubric.divide)},
                    {"grid", rubric.grid}};
    json known = json::object();
    for (auto const& [name, value] :
         {std::pair{"repetition", rubric.own_repetition}, {"copy", rubric.own_copy}, {"hidden", rubric.own_hidden}}) {
        if (value >= 0) {
            known[name] = value;
        }
    }
    if (!known.empty()) {
        out["limits"] = known;
    }
}

}  // namespace

json micro_json(std::int64_t value) {
    return value % micro == 0 ? json(value / micro) : json(double(value) / double(micro));
}

std::string write_rubric(rubric_data const& rubric, bool texts, bool measured) {
    json out;
    out["chain"] = 1;
    out["preset"] = name_of(rubric.which);
    if (rubric.open()) {
        out["text"] = text_json(rubric.text);
    }
    if (!rubric.points.empty()) {
        out["content"] = content_json(rubric);
    }
    if (!rubric.style.empty()) {
        out["style"] = style_json(rubric);
        constexpr char const* modes[] = {"peer", "strict"};
        constexpr char const* splitters[] = {"plain", "regex"};
        out["rules"] = {{"mode", modes[std::size_t(rubric.rules.mode)]},
                        {"loose", rubric.rules.loose},
                        {"sentences", splitters[std::size_t(rubric.rules.sentences)]}};
    }
    if (rubric.open()) {
        write_own_settings(rubric, out);
    }
    if (texts && !rubric.references.empty()) {
        out["references"] = rubric.references;
    }
    if (!rubric.prompt.empty()) {
        out["prompt"] = rubric.prompt;
    }
    if (measured && !rubric.floors.empty()) {
        json& floors = out["floors"] = json::object();
        for (auto const& [name, value] : rubric.floors) {
            floors[name] = value;
        }
        out["hackable"] = rubric.hackable;
    }
    // A broken byte in a user's text is U+FFFD, as everywhere.
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace optgap::rubrics
