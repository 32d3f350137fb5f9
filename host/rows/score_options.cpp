#include "host/rows/score_options.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/packages/package.hpp"
#include "host/rows/row_kind.hpp"
#include "host/specs/nearest.hpp"
#include "host/specs/renamed.hpp"

namespace optgap::rows {
namespace {

using given_value = nlohmann::ordered_json;

std::string keyword_of(option const& of) {
    std::string name(of.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string text_of(std::string const& name, given_value const& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (!value.is_object()) {
        throw field_error(name, "must be a text, or a spec as an object");
    }
    return json_text(value);
}

bool flag_of(std::string const& name, given_value const& value) {
    if (!value.is_boolean()) {
        throw field_error(name, "must be true or false");
    }
    return value.get<bool>();
}

std::int64_t number_of(std::string const& name, given_value const& value) {
    if (!value.is_number_integer()) {
        throw field_error(name, "must be an integer");
    }
    return value.get<std::int64_t>();
}

constexpr std::string_view common_options[] = {"format", "force_format", "reward", "advantage",
                                               "budget", "improved",     "kinds"};

/// Of kinds of this build and of packages.
std::vector<option> all_kind_options(std::vector<std::string> const& packages) {
    std::vector<option> all(kind_options().begin(), kind_options().end());
    std::vector<option> const more = package_options(packages);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<std::string> packages_of(given_value const& value) {
    std::string list;
    if (value.is_array()) {
        for (given_value const& one : value) {
            list += (list.empty() ? "" : ",") + (one.is_string() ? one.get<std::string>() : std::string());
        }
    } else if (value.is_string()) {
        list = value.get<std::string>();
    }
    if (list.empty()) {
        throw field_error("kinds", "must be names of packages: a text such as one,two, or a list of texts");
    }
    return package_names(list);
}

/// Returns false where no kind has an option of this name.
bool take_kind_option(option_values& out, std::span<option const> options, std::string const& name,
                      given_value const& value) {
    for (option const& one : options) {
        if (keyword_of(one) != name) {
            continue;
        }
        switch (one.type) {
            case option_type::flag: out.flag(one) = flag_of(name, value); break;
            case option_type::text: out.text(one) = text_of(name, value); break;
            case option_type::integer: {
                std::int64_t const number = number_of(name, value);
                if (number < one.low || number > one.high) {
                    throw field_error(name, fmt::format("must be from {} to {}", one.low, one.high));
                }
                out.integer(one) = number;
                break;
            }
        }
        return true;
    }
    return false;
}

}  // namespace

score_options parse_score_options(std::string_view json) {
    given_value const given = read_json(json);
    if (!given.is_object()) {
        throw field_error("options", "must be an object");
    }
    score_options out;
    if (auto const named = given.find("kinds"); named != given.end()) {
        out.packages = packages_of(*named);
    }
    std::vector<option> const kinds = all_kind_options(out.packages);
    for (auto const& [given_name, value] : given.items()) {
        std::string const name = current_option(given_name);
        if (name == "format") {
            out.format = text_of(name, value);
        } else if (name == "force_format") {
            out.force_format = flag_of(name, value);
        } else if (name == "reward") {
            out.reward = text_of(name, value);
        } else if (name == "advantage") {
            out.advantage = text_of(name, value);
        } else if (name == "improved") {
            out.improved = text_of(name, value);
        } else if (name == "budget") {
            out.budget = number_of(name, value);
            if (out.budget < -1) {
                throw field_error(name, "must be steps, or -1 for each task's default");
            }
        } else if (name != "kinds" && !take_kind_option(out.kinds, kinds, name, value)) {
            std::vector<std::string> names(std::begin(common_options), std::end(common_options));
            for (option const& one : kinds) {
                names.push_back(keyword_of(one));
            }
            throw field_error(name, "is no option of scoring; expected one of: " + closest_first(name, names));
        }
    }
    return out;
}

std::vector<std::string> packages_in(std::string_view json) {
    given_value const given = read_json(json);
    bool const any = given.is_object() && given.contains("kinds");
    return any ? packages_of(given["kinds"]) : std::vector<std::string>();
}

bool is_option_of_scoring(std::string_view name) {
    constexpr std::string_view of_commands[] = {"baselines", "server", "device", "threads", "json",
                                                "quiet",     "stats",  "trace",  "help"};
    return std::ranges::find(common_options, name) != std::end(common_options) ||
           std::ranges::find(of_commands, name) != std::end(of_commands) ||
           std::ranges::any_of(kind_options(), [&](option const& one) { return keyword_of(one) == name; });
}

}  // namespace optgap::rows
