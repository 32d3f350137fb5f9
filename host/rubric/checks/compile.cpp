// Compiles a check from its JSON.

#include <nlohmann/json.hpp>
#include <set>

#include "host/rubric/checks/arguments.hpp"
#include "host/rubric/checks/bounds.hpp"
#include "host/rubric/checks/parts.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

namespace {

using json = nlohmann::ordered_json;
using part_pointer = std::shared_ptr<check::part const>;

class check_compiler {
public:
    explicit check_compiler(check_rules const& rules) : rules_(rules) {}

    part_pointer any_check(json const& value, std::string const& where, int depth) {
        if (!value.is_object() || value.empty()) {
            misuse(where + ": a check is an object with 'check', 'all', 'any', 'not' or 'at_least'");
        }
        if (depth > deepest_check) {
            misuse(where + ": checks stand " + std::to_string(depth) + " deep in each other; at most " +
                   std::to_string(deepest_check));
        }
        if (++count_ > max_checks) {
            misuse(where + ": more than " + std::to_string(max_checks) + " checks in one");
        }
        if (has_value(value, "check")) {
            return named(value, where, depth == 0);
        }
        return combined(value, where, depth);
    }

private:
    /// Refuses unknown keys. The caller's keys are allowed in the outermost check.
    static void only(json const& value, std::string const& where, std::set<std::string> const& known, bool outermost) {
        for (auto const& [key, field] : value.items()) {
            if (!known.contains(key) && !field.is_null() && !(outermost && (key == "weight" || key == "name"))) {
                std::string names;
                for (std::string const& one : known) {
                    names += (names.empty() ? "" : ", ") + one;
                }
                misuse(where + "." + key + ": no such field; it has " + names);
            }
        }
    }

    part_pointer combined(json const& value, std::string const& where, int depth) {
        auto part = std::make_shared<combined_part>();
        std::string key;
        for (char const* const one : {"all", "any", "not", "at_least"}) {
            if (value.contains(one)) {
                if (!key.empty()) {
                    misuse(where + ": has '" + key + "' and '" + one + "'; a check is one of them");
                }
                key = one;
            }
        }
        if (key.empty()) {
            misuse(where + ": a check is an object with 'check', 'all', 'any', 'not' or 'at_least'");
        }
        only(value, where, key == "at_least" ? std::set<std::string>{"at_least", "of"} : std::set<std::string>{key},
             depth == 0);
        std::string const list_key = key == "at_least" ? "of" : key;
        std::string const list_where = where + "." + list_key;
        if (key == "not") {
            part->parts.push_back(any_check(value["not"], list_where, depth + 1));
            part->least = 1;
            part->negated = true;
        } else {
            if (!value.contains(list_key) || !value[list_key].is_array() || value[list_key].empty()) {
                misuse(list_where + ": expected a list of checks with something in it");
            }
            for (std::size_t k = 0; k < value[list_key].size(); ++k) {
                part->parts.push_back(
                    any_check(value[list_key][k], list_where + "[" + std::to_string(k) + "]", depth + 1));
            }
            auto const size = std::int64_t(part->parts.size());
            part->least = key == "all" ? size : 1;
            if (key == "at_least") {
                part->least =
                    read_argument(value["at_least"], argument_kind::positive, where + ".at_least", rules_.mode).number;
                if (part->least > size) {
                    misuse(where + ".at_least: " + std::to_string(part->least) + " of " + std::to_string(size) +
                           " checks");
                }
            }
        }
        part->kind = key;
        part->title = key == "at_least" ? "at least " + std::to_string(part->least) + " of (" : key + " (";
        for (std::size_t k = 0; k < part->parts.size(); ++k) {
            part->title += (k > 0 ? "; " : "") + part->parts[k]->title;
        }
        part->title += ")";
        return part;
    }

    part_pointer named(json const& value, std::string const& where, bool outermost) {
        if (!value["check"].is_string()) {
            misuse(where + ".check: expected the name of a measure or of an instruction type");
        }
        std::string const name = value["check"].get<std::string>();
        if (name == "external") {
            return external(value, where, outermost);
        }
        if (name == "code") {
            return code(value, where, outermost);
        }
        if (instruction_type const* const type = find_type(name)) {
            return typed(value, where, *type, outermost);
        }
        if (measure const* const found = find_measure(name); found != nullptr || name == "pattern") {
            return measured_check(value, where, name, found, outermost);
        }
        misuse(where + ".check: '" + name + "' is no measure and no instruction type (docs/checks.md lists them)");
    }

    part_pointer typed(json const& value, std::string const& where, instruction_type const& type, bool outermost) {
        auto part = std::make_shared<type_part>();
        part->of = &type;
        part->rules = rules_;
        part->kind = type.name;
        std::set<std::string> known = {"check", "mode", "loose"};
        if (has_value(value, "mode")) {
            if (value["mode"] != "peer" && value["mode"] != "strict") {
                misuse(where + ".mode: " + value["mode"].dump() + " is not one of peer, strict");
            }
            part->rules.mode = value["mode"] == "peer" ? check_mode::peer : check_mode::strict;
        }
        if (has_value(value, "loose")) {
            if (!value["loose"].is_boolean()) {
                misuse(where + ".loose: " + value["loose"].dump() + " is not true or false");
            }
            part->rules.loose = value["loose"].get<bool>();
        }
        bool const needs_ascii =
            part->kind == "custom:reverse_newline" || part->kind == "custom:european_capitals_sort";
        if (needs_ascii && !has_normal_forms()) {
            misuse(where + ".check: " + part->kind +
                   " needs normal forms, and this build has none (utf8proc was not found)");
        }
        part->title = part->kind + (part->rules.mode == check_mode::peer ? " (peer" : " (strict") +
                      (part->rules.loose ? ", loose)" : ")");
        for (argument_spec const& spec : type.arguments) {
            if (spec.name == nullptr) {
                break;
            }
            known.insert(spec.name);
            if (!has_value(value, spec.name)) {
                refuse_missing(where, type, spec);
            }
            part->given.push_back(
                read_argument(value[spec.name], spec.kind, where + "." + spec.name, part->rules.mode));
        }
        only(value, where, known, outermost);
        return part;
    }

    [[noreturn]] static void refuse_missing(std::string const& where, instruction_type const& type,
                                            argument_spec const& spec) {
        std::string const field = where + "." + spec.name + ": " + type.name + " needs ";
        switch (spec.kind) {
            case argument_kind::words:
                misuse(field + "a table of the user's, a list of words; this build has none of its own");
            case argument_kind::counts:
                misuse(field + "a table of the user's, word: syllables; this build has none of its own");
            case argument_kind::lists:
                misuse(field + "a table of the user's, language: list of words; this build has no language detector");
            default: misuse(field + "it, and it is missing");
        }
    }

    part_pointer measured_check(json const& value, std::string const& where, std::string const& name,
                                measure const* found, bool outermost) {
        auto part = std::make_shared<measure_part>();
        part->of = found;
        part->kind = name;
        part->sentences = rules_.sentences;
        std::set<std::string> known = {"check", "scope"};
        known.insert({"min", "max", "in", "equals", "ratio_min", "ratio_max"});
        std::int64_t default_low = found == nullptr || found->yes_no ? 1 : predicate::none;
        if (found == nullptr) {
            read_pattern(value, where, *part, known);
        } else {
            json const given = with_texts(value, where, *found, default_low, known);
            for (measure_option const& option : found->options) {
                if (option.name != nullptr) {
                    known.insert(option.name);
                    part->given.push_back(read_option(given, where, option));
                }
            }
            compile_texts(*part, *found, where);
        }
        only(value, where, known, outermost);
        part->bound = read_bound(value, where, default_low, found != nullptr ? found->share : nullptr);
        part->where = read_scope(value, where);
        part->title = name + part->where.words() + " " + part->bound.words();
        return part;
    }

    /// Reads any and all, which are other spellings of texts together with the bound.
    static json with_texts(json const& value, std::string const& where, measure const& of, std::int64_t& default_low,
                           std::set<std::string>& known) {
        json given = value;
        if (std::string_view(of.name) != "contains") {
            return given;
        }
        known.insert({"any", "all"});
        int ways = has_value(value, "texts");
        for (char const* const key : {"any", "all"}) {
            if (has_value(value, key)) {
                ++ways;
                given["texts"] = value[key];
                default_low = key[1] == 'n' ? 1 : std::int64_t(value[key].size());
            }
        }
        if (ways != 1) {
            misuse(where + ": contains needs one of any, all, texts");
        }
        return given;
    }

    argument_value read_option(json const& given, std::string const& where, measure_option const& option) const {
        std::string const field = where + "." + option.name;
        if (!has_value(given, option.name)) {
            if (option.required) {
                misuse(field + ": it is missing");
            }
            argument_value value;
            value.number = option.number;
            value.text = option.text;
            return value;
        }
        bool const counts_words = std::string_view(option.name) == "n";
        argument_value value =
            read_argument(given[option.name], counts_words ? argument_kind::positive : option.kind, field, rules_.mode);
        if (option.choices != nullptr &&
            (" " + std::string(option.choices) + " ").find(" " + value.text + " ") == std::string::npos) {
            misuse(field + ": '" + value.text + "' is not one of " + option.choices);
        }
        return value;
    }

    /// Compiles the texts of contains, count_of and tone into patterns.
    static void compile_texts(measure_part& part, measure const& of, std::string const& where) {
        std::size_t texts = part.given.size();
        bool whole = true;
        bool fold = true;
        for (std::size_t k = 0; k < part.given.size(); ++k) {
            std::string_view const name = of.options[k].name;
            texts = of.options[k].kind == argument_kind::texts && texts == part.given.size() ? k : texts;
            whole = name == "boundary" ? part.given[k].text == "word" : whole;
            fold = name == "fold" ? part.given[k].text == "python" : fold;
        }
        if (texts == part.given.size()) {
            return;
        }
        for (std::string const& one : part.given[texts].list) {
            pattern_rules const rules{.ignore_case = fold,
                                      .boundaries = whole ? boundary_rule::whole : boundary_rule::none};
            part.given[texts].patterns.emplace_back(one, rules, where);
        }
    }

    static void read_pattern(json const& value, std::string const& where, measure_part& part,
                             std::set<std::string>& known) {
        known.insert({"expression", "ignore_case", "multiline"});
        pattern_rules rules{.expression = true, .ignore_case = false};
        for (auto const& [key, flag] :
             {std::pair{"ignore_case", &rules.ignore_case}, std::pair{"multiline", &rules.multiline}}) {
            if (has_value(value, key)) {
                if (!value[key].is_boolean()) {
                    misuse(where + "." + key + ": " + value[key].dump() + " is not true or false");
                }
                *flag = value[key].get<bool>();
            }
        }
        if (std::string const lack = patterns_lack(); !lack.empty()) {
            misuse(where + ".check: pattern needs RE2, and " + lack);
        }
        if (!has_value(value, "expression")) {
            misuse(where + ".expression: it is missing");
        }
        part.expression =
            pattern(read_argument(value["expression"], argument_kind::text, where + ".expression", {}).text, rules,
                    where + ".expression");
    }

    static part_pointer external(json const& value, std::string const& where, bool outermost) {
        auto part = std::make_shared<external_part>();
        // In this check `name` is the number's name.
        std::set<std::string> const known = {"check", "external", "min", "max"};
        only(value, where, known, outermost);
        if (!has_value(value, "external")) {
            misuse(where + ".external: the name of the row's number is missing");
        }
        part->name = read_argument(value["external"], argument_kind::text, where + ".external", {}).text;
        for (char const* const key : {"min", "max"}) {
            if (has_value(value, key) && !value[key].is_number()) {
                misuse(where + "." + key + ": " + value[key].dump() + " is not a number");
            }
        }
        part->has_high = has_value(value, "max");
        part->high = part->has_high ? value["max"].get<double>() : 0;
        part->low = has_value(value, "min") ? value["min"].get<double>() : part->has_high ? -1e300 : 1;
        part->kind = "external";
        part->title = "external " + part->name;
        return part;
    }

    static part_pointer code(json const& value, std::string const& where, bool outermost) {
        auto part = std::make_shared<code_part>();
        only(value, where, {"check", "code"}, outermost);
        if (!has_value(value, "code")) {
            misuse(where + ".code: the check's Python is missing");
        }
        part->code = read_argument(value["code"], argument_kind::text, where + ".code", {}).text;
        if (part->code.size() > limits::code_bytes) {
            misuse(where + ".code: " + std::to_string(part->code.size()) + " bytes; a check in Python has at most " +
                   std::to_string(limits::code_bytes));
        }
        part->kind = part->title = "code";
        return part;
    }

    check_rules rules_;
    int count_ = 0;
};

}  // namespace

check compile_check(json const& value, std::string const& where, check_rules const& rules) {
    return check(check_compiler(rules).any_check(value, where, 0));
}

}  // namespace optgap::rubrics
