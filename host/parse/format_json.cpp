// Formats as text: a name, or a JSON object of fields over those of a named format.

#include <algorithm>

#include "host/parse/scanner.hpp"
#include "host/specs/spec_json.hpp"
#include "optgap/format.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::pair<char const*, answer_place> places[] = {{"tagged", answer_place::tagged},
                                                           {"boxed", answer_place::boxed},
                                                           {"line", answer_place::line},
                                                           {"fenced", answer_place::fenced}};
constexpr std::pair<char const*, reasoning_rule> reasoning_rules[] = {
    {"none", reasoning_rule::none}, {"optional", reasoning_rule::optional}, {"required", reasoning_rule::required}};
constexpr std::pair<char const*, spelling_rule> spellings[] = {{"free", spelling_rule::free},
                                                               {"strict", spelling_rule::strict}};
constexpr std::pair<char const*, tail_rule> tails[] = {{"strict", tail_rule::strict}, {"lenient", tail_rule::lenient}};

constexpr std::size_t longest_tag = 64;
constexpr std::size_t max_ends = 256;

std::string tag(json const& value, std::string const& field, bool may_be_empty = false) {
    if (!value.is_string() || value.get_ref<std::string const&>().size() > longest_tag) {
        refuse(field + ": " + value.dump() + " is not a text of at most " + std::to_string(longest_tag) + " bytes");
    }
    auto const& text = value.get_ref<std::string const&>();
    if (text.empty() && !may_be_empty) {
        refuse(field + ": must not be empty");
    }
    if (!text.empty() && text.find_first_not_of(" \t\r\n") == std::string::npos) {
        refuse(field + ": must hold more than white space");
    }
    return text;
}

/// Refuses a field without effect on how completions are read, since the user expects an effect.
[[noreturn]] void refuse_idle(std::string const& field, json const& value, std::string const& why,
                              std::string const& instead) {
    refuse(field + ": " + value.dump() + " has no effect, for " + why + "; " + instead);
}

reasoning_markers markers_of(json const& value, std::string const& field) {
    bool const pair = value.is_array() && (value.size() == 2 || (value.size() == 3 && value[2] == "at_start"));
    if (!pair) {
        refuse(field + ": " + value.dump() + R"( is not [open, close] or [open, close, "at_start"])");
    }
    reasoning_markers made{tag(value[0], field + "[0]", true), tag(value[1], field + "[1]", true), value.size() == 3};
    if (made.open.empty() && made.close.empty()) {
        refuse(field + ": must not be empty");
    }
    if (made.open.empty() && made.at_start) {
        refuse_idle(field + "[2]", value[2], "the pair has no opening tag", "leave it out");
    }
    return made;
}

json const& list(json const& value, std::string const& field, std::size_t most) {
    if (!value.is_array() || value.size() > most) {
        refuse(field + ": expected a list of at most " + std::to_string(most));
    }
    return value;
}

void read_field(format_spec& format, std::string const& key, json const& value) {
    std::string const field = "format." + key;
    if (key == "name") {
        format.name = tag(value, field);
    } else if (key == "place") {
        format.place = pick<answer_place>(value, field, places);
    } else if (key == "reasoning") {
        format.reasoning = pick<reasoning_rule>(value, field, reasoning_rules);
    } else if (key == "markers") {
        format.markers.clear();
        for (json const& pair : list(value, field, text::max_markers)) {
            format.markers.push_back(markers_of(pair, field + "[" + std::to_string(format.markers.size()) + "]"));
        }
    } else if (key == "opened") {
        format.opened_in_prompt = boolean(value, field);
    } else if (key == "answer") {
        if (!value.is_array() || value.size() != 2) {
            refuse(field + ": " + value.dump() + " is not [open, close]");
        }
        format.answer_open = tag(value[0], field + "[0]");
        format.answer_close = tag(value[1], field + "[1]");
    } else if (key == "tail") {
        format.tail = pick<tail_rule>(value, field, tails);
    } else if (key == "spelling") {
        format.spelling = pick<spelling_rule>(value, field, spellings);
    } else if (key == "ends") {
        format.ends.clear();
        for (json const& end : list(value, field, max_ends)) {
            format.ends.push_back(tag(end, field + "[" + std::to_string(format.ends.size()) + "]"));
        }
    } else if (key == "blocks") {
        format.one_block = pick<bool>(value, field, {{"last", false}, {"one", true}});
    } else if (key == "tags") {
        format.untagged = pick<bool>(value, field, {{"required", false}, {"optional", true}});
    } else if (key != "format") {
        refuse(field +
               ": no such field; there are format, name, place, reasoning, markers, opened, answer, tail, "
               "spelling, ends, blocks, tags");
    }
}

/// Requires that what the object sets over the named format has an effect. Values equal to the named format's are
/// allowed, since to_json writes such fields.
void check_effects(json const& given, format_spec const& made, format_spec const& named) {
    if (made.reasoning == reasoning_rule::none) {
        std::string const why = "reasoning is \"none\" and no reasoning tags are looked for";
        if (made.opened_in_prompt) {
            refuse_idle("format.opened", true, why, R"(set it to false, or "reasoning" to "optional")");
        }
        if (made.markers != named.markers) {
            refuse_idle("format.markers", given["markers"], why, R"(leave it out, or set "reasoning" to "optional")");
        }
    }
    if (made.place == answer_place::fenced && made.spelling != named.spelling) {
        refuse_idle("format.spelling", given["spelling"], "the answer is a program", "leave it out");
    }
    for (char const* const field : {"blocks", "tags"}) {
        if (made.place != answer_place::fenced && given.contains(field)) {
            refuse_idle("format." + std::string(field), given[field],
                        "the answer's place is \"" + std::string(name_of<answer_place>(places, made.place)) + "\"",
                        R"(leave it out, or set "place" to "fenced")");
        }
    }
    bool const own_tags = made.answer_open != named.answer_open || made.answer_close != named.answer_close;
    if (made.place != answer_place::tagged && own_tags) {
        refuse_idle("format.answer", given["answer"],
                    "the answer's place is \"" + std::string(name_of<answer_place>(places, made.place)) + "\"",
                    R"(leave it out, or set "place" to "tagged")");
    }
}

/// Checks rules between fields. A tag that begins another would hide it.
void check(format_spec const& format) {
    bool const reasons = format.reasoning != reasoning_rule::none;
    if (reasons && std::none_of(format.markers.begin(), format.markers.end(),
                                [](reasoning_markers const& pair) { return !pair.close.empty(); })) {
        refuse("format.markers: reasoning that is not \"none\" needs a closing tag");
    }
    std::vector<std::string> tags;
    if (reasons) {
        for (reasoning_markers const& pair : format.markers) {
            tags.insert(tags.end(), {pair.at_start ? std::string() : pair.open, pair.close});
        }
    }
    if (format.place == answer_place::tagged) {
        tags.insert(tags.end(), {format.answer_open, format.answer_close});
    }
    std::erase(tags, std::string());
    for (std::size_t a = 0; a < tags.size(); ++a) {
        for (std::size_t b = 0; b < tags.size(); ++b) {
            if (a != b && tags[b].compare(0, tags[a].size(), tags[a]) == 0) {
                refuse("format: the tag " + json(tags[a]).dump() + " begins the tag " + json(tags[b]).dump());
            }
        }
    }
    if (!text::fits_scanner(format)) {
        refuse("format: its tags begin in more than " + std::to_string(text::max_tag_heads) +
               " ways (first two bytes); leave some out");
    }
}

}  // namespace

format_spec parse_format(std::string_view name_or_json) {
    json const object = read_object(name_or_json, "format", "format");
    if (object.contains("format") && !object["format"].is_string()) {
        refuse("format.format: " + object["format"].dump() + " is not a format's name");
    }
    format_spec const& named = format_named(object.contains("format") ? object["format"].get<std::string>() : "forge");
    format_spec made = named;
    if (object.size() > (object.contains("format") ? 1U : 0U)) {
        made.name = "custom";
    }
    for (auto const& [key, value] : object.items()) {
        read_field(made, key, value);
    }
    check_effects(object, made, named);
    check(made);
    return made;
}

std::string to_text(format_spec const& format) {
    for (std::span<format_spec const> const named : {formats(), program_formats()}) {
        if (std::find(named.begin(), named.end(), format) != named.end()) {
            return format.name;
        }
    }
    return to_json(format);
}

std::string to_json(format_spec const& format) {
    // A field without effect is written with its default, or parse_format would refuse it.
    bool const reasons = format.reasoning != reasoning_rule::none;
    format_spec const usual;
    format_spec const& tags = format.place == answer_place::tagged ? format : usual;
    json markers = json::array();
    for (reasoning_markers const& pair : reasons ? format.markers : usual.markers) {
        json made = json::array({pair.open, pair.close});
        if (pair.at_start) {
            made.push_back("at_start");
        }
        markers.push_back(made);
    }
    json out;
    out["name"] = format.name;
    out["place"] = name_of<answer_place>(places, format.place);
    out["reasoning"] = name_of<reasoning_rule>(reasoning_rules, format.reasoning);
    out["markers"] = markers;
    out["opened"] = reasons && format.opened_in_prompt;
    out["answer"] = json::array({tags.answer_open, tags.answer_close});
    out["tail"] = name_of<tail_rule>(tails, format.tail);
    out["spelling"] = name_of<spelling_rule>(spellings, format.spelling);
    out["ends"] = format.ends;
    if (format.place == answer_place::fenced) {
        out["blocks"] = format.one_block ? "one" : "last";
        out["tags"] = format.untagged ? "optional" : "required";
    }
    return out.dump();
}

}  // namespace optgap
