#include "host/rows/packages/package_verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"

namespace optgap::rows {
namespace {

using json = nlohmann::ordered_json;

double real_at(json const& of, char const* name, double fallback) {
    auto const found = of.find(name);
    if (found == of.end() || found->is_null()) {
        return fallback;
    }
    double const value = found->is_number() ? found->get<double>() : std::nan("");
    if (!(std::abs(value) <= 1e30)) {
        misfit(fmt::format("{} must be a number", name));
    }
    return value;
}

bool flag_at(json const& of, char const* name, bool fallback) {
    auto const found = of.find(name);
    if (found == of.end() || found->is_null()) {
        return fallback;
    }
    if (!found->is_boolean()) {
        misfit(fmt::format("{} must be true or false", name));
    }
    return found->get<bool>();
}

json const& checked_columns(package_declaration const& about, json const& given) {
    if (!given.is_object()) {
        misfit("columns must be an object");
    }
    for (auto const& [name, value] : given.items()) {
        auto const own = std::ranges::find(about.adds, std::string_view(name), &column::name);
        if (own == about.adds.end()) {
            misfit(fmt::format("columns.{} is not in `adds` of kind.json", name));
        }
        bool const right = value.is_null() || (own->type == column_type::boolean   ? value.is_boolean()
                                               : own->type == column_type::integer ? value.is_number_integer()
                                               : own->type == column_type::real    ? value.is_number()
                                               : own->type == column_type::text    ? value.is_string()
                                                                                   : true);
        if (!right) {
            misfit(fmt::format("columns.{} must be {}", name, type_word(own->type)));
        }
    }
    return given;
}

}  // namespace

std::string_view type_word(column_type type) {
    constexpr std::string_view words[] = {"true or false", "an integer", "a number", "a text", "JSON"};
    return words[std::size_t(type)];
}

bool fits(column_type type, std::string_view raw) {
    bool const number = raw[0] == '-' || (raw[0] >= '0' && raw[0] <= '9');
    switch (type) {
        case column_type::boolean: return raw == "true" || raw == "false";
        case column_type::integer: return number && raw.find_first_of(".eE") == raw.npos && raw.size() < 20;
        case column_type::real: return number;
        case column_type::text: return raw[0] == '"';
        case column_type::json: return true;
    }
    return false;
}

void misfit(std::string const& what) { throw package_failure{"the worker's answer does not fit: " + what}; }

std::string text_at(json const& of, char const* name) {
    auto const found = of.find(name);
    if (found == of.end() || found->is_null()) {
        return {};
    }
    if (!found->is_string()) {
        misfit(fmt::format("{} must be a text", name));
    }
    return found->get<std::string>();
}

kept_verdict verdict_of(package_declaration const& about, json const& from) {
    kept_verdict out;
    std::string const code = text_at(from, "code");
    if (!code.empty() && code != "ok") {
        auto const own = std::find(about.codes.begin(), about.codes.end(), code);
        if (own == about.codes.end()) {
            misfit(fmt::format("{} is none of the codes in kind.json", code));
        }
        out.code = about.info.codes.begin + std::int32_t(own - about.codes.begin());
    }
    out.reward = real_at(from, "reward", std::nan(""));
    if (std::isnan(out.reward)) {
        misfit("reward is missing");
    }
    out.quality = real_at(from, "quality", out.code == code_ok ? 1 : 0);
    if (!(out.quality >= 0 && out.quality <= 1)) {
        misfit("quality must be from 0 to 1");
    }
    out.formed = flag_at(from, "format", true);
    out.feasible = flag_at(from, "feasible", out.code == code_ok);
    out.score = real_at(from, "score", out.reward);
    if (auto const objective = from.find("objective"); objective != from.end() && !objective->is_null()) {
        if (!objective->is_number_integer()) {
            misfit("objective must be an integer of 64 bits");
        }
        out.objective = objective->get<std::int64_t>();
    }
    out.group = text_at(from, "group");
    out.task = text_at(from, "task");
    auto const columns = from.find("columns");
    out.columns = columns == from.end() ? "{}" : json_text(checked_columns(about, *columns));
    auto const kept = from.find("kept");
    out.kept = kept == from.end() ? "null" : json_text(*kept);
    return out;
}

json grade_json(package_declaration const& about, kept_verdict const& one) {
    std::int32_t const own = one.code - about.info.codes.begin;
    return {{"code", own < 0 ? std::string("ok") : std::string(about.codes[std::size_t(own)])},
            {"reward", one.reward},
            {"quality", one.quality},
            {"format", one.formed},
            {"feasible", one.feasible},
            {"objective", one.objective == no_objective ? json() : json(one.objective)},
            {"score", one.score},
            {"columns", read_json(one.columns)},
            {"kept", read_json(one.kept)}};
}

void write_value(graded_row& row, kept_verdict const& one) {
    row.value.code = one.code;
    row.value.format = one.formed ? 1.0f : 0.0f;
    row.value.feasible = one.feasible ? 1.0f : 0.0f;
    row.value.quality = float(one.quality);
    row.value.reward = float(one.reward);
    row.objective = one.feasible ? one.objective : no_objective;
    row.violation = one.feasible ? 0 : 1;
    row.score = one.score;
    row.reached = one.feasible && one.quality == 1;
}

void write_columns(row_sink& out, package_declaration const& about, kept_verdict const& of) {
    json const columns = read_json(of.columns);
    for (column const& one : about.adds) {
        auto const value = columns.find(std::string(one.name));
        if (value == columns.end() || value->is_null()) {
            out.null(one.name);
            continue;
        }
        switch (one.type) {
            case column_type::boolean: out.boolean(one.name, value->get<bool>()); break;
            case column_type::integer: out.integer(one.name, value->get<std::int64_t>()); break;
            case column_type::real: out.number(one.name, value->get<double>()); break;
            case column_type::text: out.text(one.name, value->get<std::string>()); break;
            case column_type::json: out.raw(one.name, json_text(*value)); break;
        }
    }
}

}  // namespace optgap::rows
