#include "tools/cli/shell/python/python_commands.hpp"

#include <charconv>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/shell/python/python_command_files.hpp"
#include "tools/cli/shell/python/python_process.hpp"

namespace optgap::cli {
namespace {

using declaration = nlohmann::ordered_json;

/// What is handed to Python: the options by their keys.
using given_values = std::shared_ptr<declaration>;

std::string text_of(declaration const& from, char const* name) { return from.value(name, std::string()); }

std::vector<std::string> list_of(declaration const& from, char const* name) {
    return from.value(name, std::vector<std::string>());
}

/// "--base-url" is base_url, "-o,--out" is out, "FILE" is file.
std::string key_of(declaration const& option) {
    if (option.contains("key")) {
        return option["key"];
    }
    std::string name = text_of(option, "name");
    name = name.substr(name.rfind(',') + 1);
    std::string key;
    for (char const c : name.substr(std::min(name.size(), name.find_first_not_of('-')))) {
        key += c == '-' ? '_' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    return key;
}

/// The value as JSON; throws usage_error for one that `add_checks` would have refused.
declaration value_of(std::string const& type, std::string const& text) {
    if (type == "integer") {
        std::int64_t number = 0;
        return is_decimal(text, number) ? declaration(number) : declaration();
    }
    if (type == "real") {
        double number = 0;
        auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        bool const whole = problem == std::errc() && end == text.data() + text.size() && std::isfinite(number);
        return whole ? declaration(number) : declaration();
    }
    return text;
}

std::string default_of(declaration const& value) {
    if (value.is_array()) {
        std::string out;
        for (declaration const& one : value) {
            out += (out.empty() ? "" : " ") + default_of(one);
        }
        return out;
    }
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_checks(option_entry made, declaration const& option) {
    std::string const type = text_of(option, "type");
    if (!type.empty()) {
        auto const problem_of = [type](std::string const& text) {
            return value_of(type, text).is_null()
                       ? fmt::format("is '{}', expected {}", text, type == "real" ? "a number" : "an integer")
                       : std::string();
        };
        made.check(problem_of, "");
    }
    if (option.contains("choices")) {
        made.one_of(list_of(option, "choices"));
    }
    if (option.value("required", false)) {
        made.required();
    }
    if (option.contains("default")) {
        made.default_text(default_of(option["default"]));
    }
    if (option.contains("heading")) {
        made.heading(text_of(option, "heading"));
    }
    if (option.value("hidden", false)) {
        made.hide();
    }
}

option_entry add_option(command_entry command, declaration const& option, given_values const& given) {
    std::string const name = text_of(option, "name"), type = text_of(option, "type"), help = text_of(option, "help");
    std::string const key = key_of(option);
    if (type == "flag") {
        (*given)[key] = false;
        return command.add_flag(
            name, [given, key] { (*given)[key] = true; }, help);
    }
    bool const several = option.value("many", false) || option.value("each", false);
    bool const is_list = several && !name.starts_with('-');
    (*given)[key] = option.contains("default") ? option["default"] : is_list ? declaration::array() : declaration();
    if (!several) {
        option_entry const one = command.add_option(
            name, [given, key, type](std::string const& text) { (*given)[key] = value_of(type, text); }, help);
        return one.last_counts();
    }
    option_entry const made = command.add_option(
        name,
        [given, key, type](std::vector<std::string> const& texts) {
            declaration list = declaration::array();
            for (std::string const& text : texts) {
                list.push_back(value_of(type, text));
            }
            (*given)[key] = std::move(list);
        },
        help);
    return option.value("each", false) ? made.one_each() : made.many();
}

void add_options(command_entry command, declaration const& from, given_values const& given) {
    std::vector<std::pair<std::string, option_entry>> made;
    for (declaration const& option : from["options"]) {
        option_entry const one = add_option(command, option, given);
        if (text_of(option, "name").starts_with('-') && text_of(option, "type") != "flag") {
            std::string const type = text_of(option, "type");
            one.value_name(option.value("value", std::string(type == "integer" ? "INT"
                                                             : type == "real"  ? "NUMBER"
                                                                               : "TEXT")));
        }
        add_checks(one, option);
        for (auto const& [name, other] : made) {
            for (std::string const& excluded : list_of(option, "excludes")) {
                if (name == excluded) {
                    one.excludes(other);
                }
            }
        }
        made.emplace_back(text_of(option, "name"), one);
    }
}

constexpr std::size_t longest_argument = 100'000;  ///< Linux takes 128 KiB

void add_command(command_line& app, context& ctx, std::string const& module, declaration const& from) {
    std::string const word = text_of(from, "command"), second = text_of(from, "second");
    std::vector<std::string> const examples = list_of(from, "examples"), remarks = list_of(from, "remarks");
    command_entry const command = second.empty()
                                      ? app.add_command(word, text_of(from, "summary"), examples, remarks)
                                      : app.add_joined(word, second, text_of(from, "summary"), examples, remarks);
    auto const given = std::make_shared<declaration>(declaration::object());
    add_options(command, from, given);
    if (!from.contains("commands")) {
        command.on_run([&ctx, module, given] { run_in_python(ctx, module, *given); });
        return;
    }
    command.require_command();
    for (declaration const& below : from["commands"]) {
        auto const own = std::make_shared<declaration>(declaration{{"verb", below["command"]}});
        command_entry const verb = command.add_command(text_of(below, "command"), text_of(below, "summary"));
        add_options(verb, below, own);
        verb.on_run([&ctx, module, own] { run_in_python(ctx, module, *own); });
    }
}

}  // namespace

void run_in_python(context const& ctx, std::string const& module, nlohmann::ordered_json options) {
    options["device"] = ctx.device_name;
    options["threads"] = ctx.threads == 0 ? declaration() : declaration(ctx.threads);
    options["server"] = ctx.server;
    options["json"] = ctx.json;
    options["quiet"] = ctx.quiet;
    std::string const given = declaration{{"options", std::move(options)}, {"words", ctx.typed}}.dump(
        -1, ' ', true, declaration::error_handler_t::replace);
    std::vector<std::string> arguments{module};
    for (std::size_t begin = 0; begin < given.size(); begin += longest_argument) {
        arguments.push_back(given.substr(begin, longest_argument));
    }
    become_python("optgap.commands", "main", arguments);
}

void add_python_commands(command_line& app, context& ctx, std::string_view group) {
    for (python_command_file const& file : python_command_files()) {
        declaration const from = declaration::parse(file.text);
        if (text_of(from, "group") == group) {
            add_command(app, ctx, std::string(file.name.substr(0, file.name.find('.'))), from);
        }
    }
}

bool names_python_command(command_line const& app, std::vector<std::string> const& words) {
    for (python_command_file const& file : python_command_files()) {
        declaration const from = declaration::parse(file.text);
        if (app.names(words, text_of(from, "command"), text_of(from, "second"))) {
            return true;
        }
    }
    return false;
}

}  // namespace optgap::cli
