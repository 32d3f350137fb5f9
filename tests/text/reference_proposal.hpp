#pragma once
// The gates of a proposal's text, slow and with a complete JSON library: the expected result of
// host/proposal/reading.cpp, with the field and the rule of an instance that a task's entry check refuses.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap::testing {

/// Numbers outside of strings, and the nesting depth of brackets.
struct proposal_shape {
    std::int64_t depth = 0;
    bool long_number = false;  ///< of more than ten digits or with an exponent
    bool odd = false;          ///< has a backslash, or a number that the library may not hold: not compared
};

inline proposal_shape shape_of(std::string const& text) {
    proposal_shape out;
    std::int64_t depth = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        out.odd = out.odd || c == '\\';
        if (c == '"') {
            inside = !inside;
        }
        if (inside || c == '"') {
            continue;
        }
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        out.depth = std::max(out.depth, depth);
        if (c >= '0' && c <= '9' &&
            (i == 0 || std::string_view("0123456789.eE+-").find(text[i - 1]) == std::string::npos ||
             text[i - 1] == '-')) {
            std::size_t end = i;
            while (end < text.size() && std::string_view("0123456789.eE+-").find(text[end]) != std::string::npos) {
                ++end;
            }
            std::string const number = text.substr(i, end - i);
            bool const exponent = number.find_first_of("eE") != std::string::npos;
            std::int64_t const digits = std::ranges::count_if(number, [](char d) { return d >= '0' && d <= '9'; });
            out.long_number = out.long_number || exponent || digits > max_proposal_digits;
            out.odd = out.odd || exponent || digits > 18;
        }
    }
    return out;
}

/// Compares `found` with the expected result. Returns the difference; empty when there is none.
inline std::string proposal_difference(engine const& by, std::string const& text, checked_proposal const& found) {
    using json = nlohmann::ordered_json;
    proposal_shape const shape = shape_of(text);
    auto const differs = [&](std::string const& expected) {
        return expected + " expected, found " + (found.sound() ? "ok" : std::string(proposal_code_name(found.code))) +
               " " + found.field + " " + found.rule;
    };
    if (!found.sound() && (found.rule.empty() || !found.words.empty() || !found.key.empty())) {
        return "a failed gate says why and gives no instance";
    }
    if (shape.odd) {
        return {};
    }
    std::vector<std::string> names;
    json said;
    try {
        said = json::parse(text, [&](int depth, json::parse_event_t event, json& value) {
            if (depth == 1 && event == json::parse_event_t::key) {
                names.push_back(value.get<std::string>());
            }
            return true;
        });
    } catch (json::exception const&) {
        said = nullptr;
    }
    bool const ends_early = text.find('\0') != std::string::npos;  // the library stops there, although bytes may follow
    if (!said.is_object() || ends_early || shape.depth > max_proposal_depth) {
        return found.code == code_not_json ? "" : differs("not_json");
    }
    if (found.code == code_not_json) {
        return differs("a later gate");
    }
    struct form {
        proposal_kind kind;
        std::set<std::string> needed, allowed;
    };
    auto const form_of = [&]() -> form {
        if (said.contains("instance"))
            return {proposal_kind::instance, {"task", "instance"}, {}};
        if (said.contains("edit"))
            return {proposal_kind::edit, {"parent", "edit"}, {}};
        if (said.contains("require") || said.contains("forbid")) {
            return {proposal_kind::constrain, {"parent"}, {"require", "forbid"}};
        }
        if (said.contains("level"))
            return {proposal_kind::spec, {"task", "level", "seed"}, {}};
        return {};
    };
    form const of = form_of();
    bool sound = of.kind != proposal_kind::none && std::set(names.begin(), names.end()).size() == names.size();
    for (std::string const& name : of.needed) {
        sound = sound && said.contains(name);
    }
    for (std::string const& name : names) {
        sound = sound && (of.needed.contains(name) || of.allowed.contains(name));
    }
    for (auto const& [name, value] : said.items()) {
        bool const list = name == "edit" || name == "require" || name == "forbid";
        sound = sound && (name == "seed"       ? value.is_number_unsigned()
                          : name == "instance" ? value.is_object()
                          : list               ? value.is_array()
                                               : value.is_string());
    }
    if (sound != (found.code != code_unknown_field)) {
        return differs(sound ? "a known form" : "unknown_field");
    }
    if (!sound) {
        return {};
    }
    if (found.kind != of.kind) {
        return differs("another kind");
    }
    if (said.contains("task")) {
        auto const tasks = by.tasks();
        bool const known = std::ranges::any_of(tasks, [&](task_info const& info) { return info.name == said["task"]; });
        if (known != (found.code != code_unknown_task)) {
            return differs(known ? "a known task" : "unknown_task");
        }
        if (!known) {
            return {};
        }
    }
    if (found.code == code_unknown_task) {
        return {};  // for a parent's key
    }
    bool const too_long = std::int64_t(text.size()) > proposal_limits{}.bytes;
    if (too_long != (found.code == code_too_long)) {
        return differs(too_long ? "too_long" : "a text that is short enough");
    }
    if (too_long) {
        return {};
    }
    if (shape.long_number && !said.contains("seed") && found.code != code_too_large) {
        return differs("too_large");
    }
    if (found.code == code_too_large || of.kind != proposal_kind::instance) {
        return {};
    }
    // A repeated field is refused, while the library keeps one of them.
    bool const said_of_names = found.code == code_bad_instance &&
                               (found.field.starts_with("instance.") || found.rule.starts_with("has more fields"));
    if (said_of_names) {
        return {};
    }
    std::vector<std::int32_t> words;
    try {
        words = by.instance_words(by.task_index(said["task"].get<std::string>()), said["instance"].dump());
    } catch (field_error const& broken) {
        bool const same =
            found.code == code_bad_instance && found.field == broken.field() && found.rule == broken.rule();
        return same ? "" : differs("bad_instance " + broken.field() + " " + broken.rule());
    } catch (error const&) {
        return found.code == code_bad_instance ? "" : differs("bad_instance");
    }
    return found.sound() && found.words == words ? "" : differs("the library's words");
}

}  // namespace optgap::testing
