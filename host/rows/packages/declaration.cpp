// kind.json: what a package's kind is, as data. Errors name the file and the field.

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "host/rows/codes.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/packages/package.hpp"
#include "host/rows/score_options.hpp"
#include "host/rows/scorer.hpp"
#include "host/specs/nearest.hpp"

namespace optgap::rows {
namespace {

using json = nlohmann::ordered_json;

constexpr std::pair<char const*, column_type> column_types[] = {{"boolean", column_type::boolean},
                                                                {"integer", column_type::integer},
                                                                {"real", column_type::real},
                                                                {"text", column_type::text},
                                                                {"json", column_type::json}};
constexpr std::pair<char const*, option_type> option_types[] = {
    {"text", option_type::text}, {"integer", option_type::integer}, {"flag", option_type::flag}};
constexpr std::pair<char const*, estimator_scope> scopes[] = {{"group", estimator_scope::group},
                                                              {"batch", estimator_scope::batch}};
/// What every row may have, by whichever kind it is graded.
constexpr std::string_view columns_of_any_row[] = {"completion", "key",    "task", "group", "finish", "length", "limit",
                                                   "format",     "prompt", "role", "step",  "answer", "error"};
constexpr std::int64_t max_codes = 900;

class declaration_reader {
public:
    declaration_reader(std::string const& path, package_declaration& out) : path_(path), out_(out) {}

    [[noreturn]] void refuse(std::string const& field, std::string const& rule) const {
        throw field_error(fmt::format("{}: {}", path_, field), rule);
    }
    void known(json const& of, std::string const& field, std::initializer_list<char const*> names) const {
        if (!of.is_object()) {
            refuse(field.empty() ? "kind.json" : field, "must be an object");
        }
        std::vector<std::string> const all(names.begin(), names.end());
        for (auto const& [name, value] : of.items()) {
            if (std::ranges::find(all, name) == all.end()) {
                refuse(join(field, name.substr(0, 60)),
                       "is unknown; expected " + closest_first(name, all) + did_you_mean(name, all));
            }
        }
    }
    std::string_view text(json const& of, std::string const& field, char const* name, bool may_lack = false) {
        auto const found = of.find(name);
        if (found == of.end() && may_lack) {
            return {};
        }
        if (found == of.end() || !found->is_string() || found->get_ref<std::string const&>().empty()) {
            refuse(join(field, name), found == of.end() ? "missing: a text" : "must be a text");
        }
        return out_.texts.emplace_back(found->get<std::string>());
    }
    /// Lower case, digits and `mark` between them.
    std::string_view word(json const& of, std::string const& field, char const* name, char mark) {
        std::string_view const found = text(of, field, name);
        auto const fits = [mark](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == mark; };
        if (found.size() > 60 || !(found[0] >= 'a' && found[0] <= 'z') || !std::ranges::all_of(found, fits)) {
            refuse(join(field, name),
                   fmt::format("must be small letters, digits and {}, beginning with a letter", mark));
        }
        return found;
    }
    template <class Value, std::size_t Count>
    Value choice(json const& of, std::string const& field, char const* name,
                 std::pair<char const*, Value> const (&choices)[Count]) {
        std::string_view const found = text(of, field, name);
        std::vector<std::string> all;
        for (auto const& [one, value] : choices) {
            if (found == one) {
                return value;
            }
            all.emplace_back(one);
        }
        refuse(join(field, name),
               fmt::format("is '{}'; expected {}{}", found, closest_first(found, all), did_you_mean(found, all)));
    }
    bool flag(json const& of, std::string const& field, char const* name) const {
        auto const found = of.find(name);
        if (found != of.end() && !found->is_boolean()) {
            refuse(join(field, name), "must be true or false");
        }
        return found != of.end() && found->get<bool>();
    }
    json list(json const& of, char const* name, std::string const& field = {}) const {
        auto const found = of.find(name);
        if (found != of.end() && !found->is_array()) {
            refuse(join(field, name), "must be a list");
        }
        return found == of.end() ? json::array() : *found;
    }
    double number(json const& of, std::string const& field, char const* name, double fallback, double low,
                  double high) const {
        auto const found = of.find(name);
        if (found == of.end()) {
            return fallback;
        }
        double const value = found->is_number() ? found->get<double>() : low - 1;
        if (!(value >= low && value <= high)) {
            refuse(join(field, name), fmt::format("must be a number from {:g} to {:g}", low, high));
        }
        return value;
    }
    std::int64_t integer(json const& of, std::string const& field, char const* name, std::int64_t fallback,
                         std::int64_t low, std::int64_t high) const {
        auto const found = of.find(name);
        if (found != of.end() && !found->is_number_integer()) {
            refuse(join(field, name), "must be an integer");
        }
        return std::int64_t(number(of, field, name, double(fallback), double(low), double(high)));
    }

    void columns(json const& of, char const* name, bool added) {
        json const all = list(of, name);
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const field = fmt::format("{}[{}]", name, k);
            added ? known(all[k], field, {"name", "type", "meaning"})
                  : known(all[k], field, {"name", "type", "meaning", "optional"});
            column one;
            one.name = word(all[k], field, "name", '_');
            one.type = choice(all[k], field, "type", column_types);
            one.meaning = text(all[k], field, "meaning");
            bool const taken = std::ranges::find(columns_of_any_row, one.name) != std::end(columns_of_any_row) ||
                               std::ranges::find(columns_of_scored_rows(), one.name) != columns_of_scored_rows().end();
            if (taken || std::ranges::count(out_.reads, one.name, &column::name) != 0 ||
                std::ranges::count(out_.adds, one.name, &column::name) != 0) {
                refuse(field + ".name",
                       fmt::format("{} is {}", one.name, taken ? "a column of rows of every kind" : "declared twice"));
            }
            if (!added && flag(all[k], field, "optional")) {
                out_.optional.insert(one.name);
            }
            (added ? out_.adds : out_.reads).push_back(one);
        }
    }

    void options(json const& of) {
        json const all = list(of, "options");
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const field = fmt::format("options[{}]", k);
            known(all[k], field, {"name", "type", "help", "default", "range"});
            option one;
            one.name = word(all[k], field, "name", '-');
            one.type = choice(all[k], field, "type", option_types);
            one.help = text(all[k], field, "help");
            one.recorded = keyword(one.name);
            if (one.type == option_type::text) {
                one.fallback = text(all[k], field, "default", true);
            } else if (one.type == option_type::integer) {
                auto const range = all[k].find("range");
                if (range == all[k].end() || !range->is_array() || range->size() != 2 ||
                    !(*range)[0].is_number_integer() || !(*range)[1].is_number_integer() ||
                    std::abs((*range)[0].get<double>()) > 2e9 || std::abs((*range)[1].get<double>()) > 2e9 ||
                    (*range)[0] > (*range)[1]) {
                    refuse(field + ".range",
                           "must be two integers from -2000000000 to 2000000000: the least and the most");
                }
                one.low = (*range)[0].get<std::int64_t>();
                one.high = (*range)[1].get<std::int64_t>();
                one.number = integer(all[k], field, "default", std::clamp<std::int64_t>(0, one.low, one.high), one.low,
                                     one.high);
                one.shows_default = true;
            }
            if (one.type == option_type::flag && all[k].contains("default")) {
                refuse(field + ".default", "is that of a flag, which is off unless it is given");
            }
            if (one.type != option_type::integer && all[k].contains("range")) {
                refuse(field + ".range", "belongs to an integer");
            }
            if (is_option_of_scoring(one.recorded) || std::ranges::count(out_.options, one.name, &option::name) != 0) {
                refuse(field + ".name",
                       fmt::format("{} is an option already; begin it with the kind's name", one.name));
            }
            out_.options.push_back(one);
        }
    }

    void codes(json const& of) {
        json const all = list(of, "codes");
        if (std::int64_t(all.size()) > max_codes) {
            refuse("codes", fmt::format("must be at most {}", max_codes));
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const field = fmt::format("codes[{}]", k);
            known(all[k], field, {"name", "meaning"});
            std::string_view const name = word(all[k], field, "name", '_');
            if (name == "ok" || name == "unsettled" || std::ranges::find(out_.codes, name) != out_.codes.end()) {
                refuse(field + ".name", fmt::format("{} is a code already", name));
            }
            out_.codes.push_back(name);
            out_.meanings.push_back(text(all[k], field, "meaning"));
        }
        out_.codes.push_back("unsettled");
        out_.meanings.push_back("the rows of its group could not be settled");
    }

    void claims(json const& of) {
        json const all = list(of, "claims");
        if (all.empty()) {
            refuse("claims", "missing: the columns of which any marks a row of this kind");
        }
        std::string shown;
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const name = all[k].is_string() ? all[k].get<std::string>() : std::string();
            if (std::ranges::count(out_.reads, std::string_view(name), &column::name) == 0) {
                refuse(fmt::format("claims[{}]", k), "must be a column that `reads` declares");
            }
            out_.claims.push_back(out_.texts.emplace_back(name));
            shown += fmt::format("{}`{}`", k == 0 ? "" : " or ", name);
        }
        out_.info.known_by = out_.texts.emplace_back(shown);
    }

    void parameters(json const& of, std::string const& field, declared_rule& rule,
                    parameter (*made)(char const*, std::size_t, double, double, char const*)) {
        json const all = list(of, "parameters", field);
        if (std::int64_t(all.size()) > max_own_parameters) {
            refuse(field + ".parameters", fmt::format("must be at most {}", max_own_parameters));
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const at = fmt::format("{}.parameters[{}]", field, k);
            known(all[k], at, {"name", "meaning", "range", "default"});
            std::string_view const name = word(all[k], at, "name", '_');
            std::string_view const meaning = text(all[k], at, "meaning");
            reward_limits const within = range(all[k], at, {});
            rule.start[k] =
                number(all[k], at, "default", std::clamp(0.0, within.low, within.high), within.low, within.high);
            if (std::ranges::any_of(rule.parameters, [&](parameter const& each) { return each.name == name; })) {
                refuse(at + ".name", fmt::format("{} is declared twice", name));
            }
            rule.parameters.push_back(made(name.data(), k, within.low, within.high, meaning.data()));
        }
    }
    /// Two rising numbers; `fallback` where there are none and it has some.
    reward_limits range(json const& of, std::string const& field, reward_limits fallback) const {
        auto const given = of.find("range");
        if (given == of.end() && fallback.low < fallback.high) {
            return fallback;
        }
        bool const pair = given != of.end() && given->is_array() && given->size() == 2 && (*given)[0].is_number() &&
                          (*given)[1].is_number();
        reward_limits const out{pair ? (*given)[0].get<double>() : 0.0, pair ? (*given)[1].get<double>() : 0.0};
        if (!(out.low < out.high && -largest_constant <= out.low && out.high <= largest_constant)) {
            refuse(join(field, "range"),
                   fmt::format("must be two rising numbers from {0:g} to {1:g}", -largest_constant, largest_constant));
        }
        return out;
    }
    /// What estimators and shapes have in common.
    declared_rule rule(json const& of, std::string const& field) {
        declared_rule out;
        out.name = word(of, field, "name", '_');
        static_cast<void>(text(of, field, "class"));  // which the worker loads
        out.formula = text(of, field, "formula");
        out.source = text(of, field, "source", true);
        return out;
    }

    void add_rule(std::string const& field, std::vector<declared_rule>& to, declared_rule made) {
        if (std::ranges::count(to, made.name, &declared_rule::name) != 0) {
            refuse(field + ".name", fmt::format("{} is declared twice", made.name));
        }
        to.push_back(std::move(made));
    }

    void estimators(json const& of) {
        json const all = list(of, "estimators");
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const field = fmt::format("estimators[{}]", k);
            known(all[k], field, {"name", "class", "formula", "source", "scope", "reads", "parameters"});
            declared_rule made = rule(all[k], field);
            if (all[k].contains("scope")) {
                made.scope = choice(all[k], field, "scope", scopes);
            }
            for (json const& read : list(all[k], "reads", field)) {
                made.reads.lengths = made.reads.lengths || read == "lengths";
                made.reads.components = made.reads.components || read == "components";
                if (read != "lengths" && read != "components") {
                    refuse(field + ".reads", "must be names of columns beside the rewards: lengths, components");
                }
            }
            parameters(all[k], field, made, own_number<advantage_spec>);
            for (parameter const& each : made.parameters) {
                if (std::string_view const name = each.name; name == "epsilon" || name == "of_one") {
                    refuse(field + ".parameters", fmt::format("{} is a parameter of all estimators", name));
                }
            }
            add_rule(field, out_.estimators, std::move(made));
        }
    }

    void shapes(json const& of) {
        json const all = list(of, "shapes");
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string const field = fmt::format("shapes[{}]", k);
            known(all[k], field,
                  {"name", "class", "formula", "words", "source", "range", "parameters", "format_valid",
                   "format_broken", "infeasible_value"});
            declared_rule made = rule(all[k], field);
            made.words = text(all[k], field, "words", true);
            made.limits = range(all[k], field, made.limits);
            auto const constant = [&](char const* name, double fallback) {
                return number(all[k], field, name, fallback, -largest_constant, largest_constant);
            };
            made.constants.format_valid = constant("format_valid", made.constants.format_valid);
            made.constants.format_broken = constant("format_broken", made.constants.format_broken);
            made.constants.infeasible = constant("infeasible_value", made.constants.infeasible);
            parameters(all[k], field, made, own_number<reward_spec>);
            add_rule(field, out_.shapes, std::move(made));
        }
    }

    void kind(json const& of, std::int32_t first_code) {
        kind_info& info = out_.info;
        info.name = word(of, "", "kind", '_');
        for (kind_entry const& kind : kind_entries()) {
            if (kind.info->name == info.name) {
                refuse("kind", fmt::format("{} is a kind of this build already", info.name));
            }
        }
        static_cast<void>(text(of, "", "class"));  // which the worker loads
        columns(of, "reads", false);
        columns(of, "adds", true);
        claims(of);
        options(of);
        codes(of);
        info.rank = std::int32_t(integer(of, "", "rank", 100, 1, 1000));
        info.page = "kinds.md";
        info.reads = out_.reads;
        info.adds = out_.adds;
        info.options = out_.options;
        info.codes = {first_code, first_code + std::int32_t(out_.codes.size()), package_code_name};
        info.place = graded_in::worker;
    }

    std::string_view keyword(std::string_view name) {
        std::string made(name);
        std::replace(made.begin(), made.end(), '-', '_');
        return out_.texts.emplace_back(made);
    }

private:
    static std::string join(std::string const& field, std::string_view name) {
        return field.empty() ? std::string(name) : fmt::format("{}.{}", field, name);
    }

    std::string const& path_;
    package_declaration& out_;
};

}  // namespace

std::shared_ptr<package_declaration> read_declaration(std::string const& path, std::string_view json_of,
                                                      std::int32_t first_code) {
    auto out = std::make_shared<package_declaration>();
    declaration_reader reader(path, *out);
    json const given = read_json(json_of);
    if (given.is_discarded()) {
        reader.refuse("byte " + std::to_string(json_fault(json_of)), "is where it stops being JSON");
    }
    reader.known(
        given, "",
        {"kind", "class", "claims", "rank", "reads", "adds", "options", "codes", "limits", "estimators", "shapes"});
    reader.estimators(given);
    reader.shapes(given);
    if ((out->estimators.empty() && out->shapes.empty()) || given.contains("kind")) {
        reader.kind(given, first_code);
    } else {
        for (char const* const name : {"class", "claims", "rank", "reads", "adds", "options", "codes"}) {
            if (given.contains(name)) {
                reader.refuse(name, "belongs to a kind of rows, and `kind` is missing");
            }
        }
    }
    if (auto const limits = given.find("limits"); limits != given.end()) {
        reader.known(*limits, "limits", {"rows", "seconds"});
        out->max_rows = std::size_t(reader.integer(*limits, "limits", "rows", 256, 1, 65536));
        out->seconds = reader.number(*limits, "limits", "seconds", 60, 0.01, 86400);
    }
    return out;
}

}  // namespace optgap::rows
