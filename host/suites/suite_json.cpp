#include "host/suites/suite_json.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/report/fingerprint.hpp"
#include "host/specs/spec_json.hpp"

namespace optgap {

namespace {

constexpr std::pair<char const*, suite_role> roles[] = {
    {"test", suite_role::test}, {"train", suite_role::train}, {"problems", suite_role::problems}};
constexpr std::pair<char const*, suite_place> places[] = {
    {"native", suite_place::native}, {"external", suite_place::external}, {"missing", suite_place::missing}};
constexpr std::pair<char const*, split> splits[] = {
    {"train", split::train}, {"val", split::val}, {"test", split::test}};
constexpr std::pair<char const*, int> kinds[] = {{"optimise", 0}, {"satisfy", 1}, {"exact", 2}};
constexpr std::int32_t max_problems = 1'000'000;

std::string text_of(spec_json::json const& value, std::string const& field) {
    if (!value.is_string() || value.get_ref<std::string const&>().empty()) {
        spec_json::refuse(field + ": " + value.dump() + " is not a text");
    }
    return value.get<std::string>();
}

/// Reads the name of a suite or of an entry: it also becomes part of keys, files and labels.
std::string plain_name(spec_json::json const& value, std::string const& field, char const* further) {
    std::string const name = text_of(value, field);
    auto const fits = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               std::string_view(further).find(c) != std::string_view::npos;
    };
    if (name.size() > 200 || !std::all_of(name.begin(), name.end(), fits)) {
        spec_json::refuse(
            fmt::format("{}: {} is no name; expected letters, digits and '_{}'", field, value.dump(), further));
    }
    return name;
}

/// Reads levels, count, seed and split, of one entry or for all.
bool read_problems(std::string const& field, spec_json::json const& value, std::string const& at, suite_entry& of) {
    std::string const name = at + field;
    if (field == "levels") {
        std::string text;
        if (value.is_array()) {
            for (spec_json::json const& one : value) {
                text += (text.empty() ? "" : ",") + text_of(one, name);
            }
        } else {
            text = text_of(value, name);
        }
        try {
            of.levels = parse_levels(text);
        } catch (field_error const& broken) {
            spec_json::refuse(name + ": " + broken.rule());
        }
    } else if (field == "count") {
        of.count = spec_json::integer(value, name, 1, max_problems);
    } else if (field == "seed") {
        of.seed = std::uint64_t(spec_json::integer(value, name, 0, 2'000'000'000));
    } else if (field == "split") {
        of.part = spec_json::pick<split>(value, name, splits);
    } else {
        return false;
    }
    return true;
}

suite_entry read_entry(spec_json::json const& value, std::string const& at, suite_entry entry) {
    if (!value.is_object() || !value.contains("task")) {
        spec_json::refuse(at + ": expected an object with a task, such as {\"task\": \"rlve/Sorting\"}");
    }
    for (auto const& [field, of] : value.items()) {
        if (field == "task") {
            entry.task = plain_name(of, at + ".task", "/.-");
        } else if (field == "class") {
            spec_json::pick<int>(of, at + ".class", kinds);
            entry.kind = of.get<std::string>();
        } else if (!read_problems(field, of, at + ".", entry)) {
            spec_json::refuse(at + "." + field + " is unknown; expected task, class, levels, count, seed, split");
        }
    }
    if (entry.levels.empty() || entry.count == 0) {
        spec_json::refuse(fmt::format("{}.{}: is missing, here and beside the entries", at,
                                      entry.levels.empty() ? "levels" : "count"));
    }
    if (entry.count < std::int64_t(entry.levels.size())) {
        spec_json::refuse(fmt::format("{}.count: {} is less than one for each of its {} levels", at, entry.count,
                                      entry.levels.size()));
    }
    return entry;
}

/// Throws where a problem is in two entries.
void check_twice(suite const& of, std::string const& where) {
    for (std::size_t i = 0; i < of.entries.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            suite_entry const &a = of.entries[j], &b = of.entries[i];
            for (difficulty const level : b.levels) {
                if (a.task == b.task && std::find(a.levels.begin(), a.levels.end(), level) != a.levels.end()) {
                    spec_json::refuse(fmt::format("{}: entries[{}]: {} at {} stands in entries[{}] already", where, i,
                                                  b.task, level_name(level), j));
                }
            }
        }
    }
}

}  // namespace

char const* name_of(suite_role role) { return spec_json::name_of<suite_role>(roles, role); }
char const* training_of(suite_role role) {
    switch (role) {
        case suite_role::test: return "held out";
        case suite_role::train: return "seen";
        case suite_role::problems: break;
    }
    return "problems held out";
}
char const* name_of(suite_place place) { return spec_json::name_of<suite_place>(places, place); }

std::string list_hash_of(suite const& of) {
    std::string listed = fmt::format("{}\n", name_of(of.role));
    for (suite_entry const& entry : of.entries) {
        listed += fmt::format("{} {} {} {} {}\n", entry.task, levels_name(entry.levels), entry.count,
                              spec_json::name_of<split>(splits, entry.part), entry.seed);
    }
    return fingerprint(listed);
}

suite read_suite(std::string_view text, std::string const& where, bool frozen) {
    spec_json::json const object = spec_json::json::parse(text, nullptr, false);
    if (object.is_discarded() || !object.is_object()) {
        spec_json::refuse(where + ": expected a JSON object with suite, role and entries");
    }
    suite of;
    suite_entry shared;
    std::string hash;
    for (auto const& [field, value] : object.items()) {
        std::string const at = where + ": " + field;
        if (field == "suite") {
            of.name = plain_name(value, at, "-");
        } else if (field == "title") {
            of.title = text_of(value, at);
        } else if (field == "source") {
            of.source = text_of(value, at);
        } else if (field == "role") {
            of.role = spec_json::pick<suite_role>(value, at, roles);
        } else if (field == "hash") {
            hash = text_of(value, at);
        } else if (field != "entries" && !read_problems(field, value, where + ": ", shared)) {
            spec_json::refuse(
                at + " is unknown; expected suite, title, source, role, levels, count, seed, split, entries, hash");
        }
    }
    for (char const* const field : {"suite", "role", "entries"}) {
        if (!object.contains(field)) {
            spec_json::refuse(fmt::format("{}: {}: is missing", where, field));
        }
    }
    spec_json::json const& entries = object["entries"];
    if (!entries.is_array() || entries.empty()) {
        spec_json::refuse(where + ": entries: expected a list of one entry or more");
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        of.entries.push_back(read_entry(entries[i], fmt::format("{}: entries[{}]", where, i), shared));
    }
    check_twice(of, where);
    of.list_hash = list_hash_of(of);
    if ((frozen || !hash.empty()) && hash != of.list_hash) {
        spec_json::refuse(
            fmt::format("{}: hash: is '{}', but the list has {}: a frozen list does not change, so give this one a "
                        "name and a hash of its own",
                        where, hash, of.list_hash));
    }
    return of;
}

std::string to_json(suite const& of) {
    spec_json::json entries = spec_json::json::array();
    for (suite_entry const& entry : of.entries) {
        spec_json::json levels = spec_json::json::array(), shares = spec_json::json::array();
        for (level_share const& share : spread_evenly(entry.levels, entry.count)) {
            levels.push_back(level_name(share.level));
            shares.push_back(share.count);
        }
        auto const or_null = [](std::string const& text) {
            return text.empty() ? spec_json::json() : spec_json::json(text);
        };
        entries.push_back({{"task", entry.task},
                           {"class", or_null(entry.kind)},
                           {"levels", levels},
                           {"counts", shares},
                           {"count", entry.count},
                           {"seed", entry.seed},
                           {"split", spec_json::name_of<split>(splits, entry.part)},
                           {"place", name_of(entry.place)},
                           {"native", or_null(entry.native)},
                           {"version", entry.version == 0 ? spec_json::json() : spec_json::json(entry.version)},
                           {"family", or_null(entry.family)},
                           {"known", entry.known},
                           {"reason", or_null(entry.reason)}});
    }
    return spec_json::json{{"suite", of.name},
                           {"title", of.title},
                           {"source", of.source},
                           {"role", name_of(of.role)},
                           {"training", training_of(of.role)},
                           {"list_hash", of.list_hash},
                           {"hash", of.hash},
                           {"entries", entries}}
        .dump();
}

}  // namespace optgap
