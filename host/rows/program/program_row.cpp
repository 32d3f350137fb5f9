#include "host/rows/program/program_row.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/within_field.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::rows {
namespace {

std::vector<std::optional<baseline>> baselines_in(json_row const& row, std::int32_t count) {
    std::string_view const* const value = field_of(row, "baselines");
    std::vector<std::optional<baseline>> out;
    if (value == nullptr) {
        return out;
    }
    auto const list = read_json(*value);
    if (!list.is_array() || std::int32_t(list.size()) != count) {
        throw field_error("baselines", fmt::format("must be a list with one {{objective, bound, proven}} or null for "
                                                   "each of the {} instances",
                                                   count));
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
        out.push_back(baseline_from(json_text(list[k]), fmt::format("baselines[{}]", k)));
    }
    return out;
}

}  // namespace

program_claim read_program(json_row const& row, rollout const& roll, program_options const& options,
                           program_problems& problems, own_problems& own) {
    program_claim out;
    auto const language = string_of(row, "language");
    if (!language) {
        throw field_error("language", "missing: the row's completion holds a program in python or cpp");
    }
    out.row.language = programs::within_field("language", [&] { return programs::language_named(*language); });
    out.row.interface = programs::within_field("interface", [&] {
        return programs::interface_named(string_of(row, "interface").value_or("stdio"), out.row.language);
    });
    auto const input = string_of(row, "input");
    out.row.input =
        input ? programs::within_field("input", [&] { return programs::input_form_of(*input, out.row.interface); })
              : programs::usual_form(out.row.language);
    std::string_view const* const limits = row.find("limits");
    if (!options.limits.empty()) {
        out.row.limits = programs::parse_limits(options.limits);
    } else if (limits != nullptr && !is_json_null(*limits)) {
        std::string const text = is_json_string(*limits) ? decode_json_string(*limits) : std::string(*limits);
        out.row.limits = programs::within_field("limits", [&] { return programs::parse_limits(text); });
    } else if (is_own_problem_row(row)) {
        out.row.limits = own.of(row).problem().limits;
    }
    out.row.completion = roll.completion;
    out.row.format = &known_formats()[std::size_t(roll.format)];
    out.row.finished = roll.finished;
    if (is_own_problem_row(row)) {
        if (out.row.interface != programs::program_interface::stdio || input) {
            throw field_error(input ? "input" : "interface",
                              "the problem's generator writes what a program reads on stdin: expected no such field");
        }
        out.own = &own.of(row);
        out.seeds = own_seeds(row, out.own->problem());
        out.given = baselines_in(row, std::int32_t(out.seeds.size()));
        return out;
    }
    out.problem = problems.add(row);
    out.given = baselines_in(row, problems.all()[std::size_t(out.problem)].rows.count);
    return out;
}

}  // namespace optgap::rows
