// Reads a problem for programs from its record.

#include "host/programs/input_form.hpp"
#include "host/programs/limits.hpp"
#include "host/programs/problem_record.hpp"
#include "host/programs/within_field.hpp"
#include "optgap/programs/runner.hpp"
#include "optgap/status.hpp"

#include <nlohmann/json.hpp>

namespace optgap {
namespace {

using nlohmann::ordered_json;
using programs::within_field;

/// Returns null where the field is absent or null.
ordered_json const* field_of(ordered_json const& record, char const* name) {
    auto const found = record.find(name);
    return found == record.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> text_of(ordered_json const& record, char const* name) {
    ordered_json const* const value = field_of(record, name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        throw field_error(name, "must be a string");
    }
    return value->get<std::string>();
}

/// Reads a name, or an object as JSON text.
std::optional<std::string> named_or_object(ordered_json const& record, char const* name) {
    ordered_json const* const value = field_of(record, name);
    return value != nullptr && value->is_object() ? std::optional(value->dump()) : text_of(record, name);
}

/// Reads a baseline as rows of answers have it; nullopt where it has no content.
std::optional<baseline> baseline_of(ordered_json const& value, std::string const& field) {
    if (value.is_null()) {
        return std::nullopt;
    }
    if (!value.is_object()) {
        throw field_error(field, "must be {objective, bound, proven}");
    }
    auto const integer = [&](char const* name) {
        ordered_json const* const given = field_of(value, name);
        if (given != nullptr && !given->is_number_integer()) {
            throw field_error(field + "." + name, "must be an integer or null");
        }
        return given == nullptr ? no_objective : given->get<std::int64_t>();
    };
    baseline known;
    known.objective = integer("objective");
    known.bound = integer("bound");
    known.floor = integer("floor");
    known.greedy = integer("greedy");
    ordered_json const* const given = field_of(value, "proven");
    if (given != nullptr && !given->is_boolean()) {
        throw field_error(field + ".proven", "must be true or false");
    }
    bool const proven = given != nullptr && given->get<bool>();
    if (known.objective == no_objective) {
        known.status = baseline_status::infeasible;
        return proven ? std::optional(known) : std::nullopt;
    }
    known.status = proven ? baseline_status::optimal : baseline_status::bounded;
    known.bound = proven && known.bound == no_objective ? known.objective : known.bound;
    if (proven && known.bound != known.objective) {
        throw field_error(field, "is proven, but its objective " + std::to_string(known.objective) +
                                     " is not its bound " + std::to_string(known.bound));
    }
    return known;
}

}  // namespace

program_problem read_program_problem(engine const& by, std::string_view record) {
    ordered_json const read = ordered_json::parse(record, nullptr, false);
    if (!read.is_object()) {
        throw field_error("problem", "must be a JSON object with `key`, or `task` and `instances`, and `language`");
    }
    programs::posed_problem posed = programs::read_problem(
        by, {.key = text_of(read, "key"), .task = text_of(read, "task"), .instances = field_of(read, "instances")});
    program_problem out;
    out.key = std::move(posed.key);
    out.task = posed.task;
    out.instances = std::move(posed.instances);
    out.specs = std::move(posed.specs);
    out.hash = posed.hash;
    std::optional<std::string> const language = text_of(read, "language");
    if (!language) {
        throw field_error("language", "missing: the completion holds a program in python or cpp");
    }
    within_field("language", [&] { return programs::language_named(*language); });
    out.language = *language;
    programs::program_language const spoken = programs::language_named(*language);
    auto shape = programs::program_interface::stdio;
    if (std::optional<std::string> const interface = text_of(read, "interface")) {
        shape = within_field("interface", [&] { return programs::interface_named(*interface, spoken); });
        out.interface = *interface;
    }
    if (std::optional<std::string> const input = text_of(read, "input")) {
        within_field("input", [&] { return programs::input_form_of(*input, shape); });
        out.input = *input;
    }
    if (std::optional<std::string> const limits = named_or_object(read, "limits")) {
        within_field("limits", [&] { return programs::parse_limits(*limits); });
        out.limits = *limits;
    }
    if (std::optional<std::string> const format = named_or_object(read, "format")) {
        out.format = within_field("format", [&] { return parse_format(*format); });
        if (out.format.place != answer_place::fenced) {
            throw field_error("format", R"(a program stands in a fenced block: set "place" to "fenced")");
        }
    }
    if (ordered_json const* const baselines = field_of(read, "baselines")) {
        if (!baselines->is_array() || std::int64_t(baselines->size()) != out.count()) {
            throw field_error("baselines",
                              "must be a list with one {objective, bound, proven} or null for each of the " +
                                  std::to_string(out.count()) + " instances");
        }
        for (std::size_t k = 0; k < baselines->size(); ++k) {
            out.given.push_back(baseline_of((*baselines)[k], "baselines[" + std::to_string(k) + "]"));
        }
    }
    return out;
}

}  // namespace optgap
