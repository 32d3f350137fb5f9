// A problem of programs from its record, which is a row without its completion.

#include <utility>

#include "host/rows/json/json_text.hpp"
#include "host/rows/program/program_row.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/programs/runner.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

programs::sandbox& no_sandbox(programs::program_language) { misuse("a record of a problem runs nothing"); }

}  // namespace

program_problem read_program_problem(engine const& by, std::string_view record) {
    json_row row;
    std::string rule;
    if (!row.split(record, rule)) {
        throw field_error("problem", "must be a JSON object with `key`, or `task` and `instances`, and `language`");
    }
    if (rows::is_own_problem_row(row)) {
        throw field_error("problem",
                          "is a folder of your own, which a row names: expected optgap::row_scorer, or "
                          "optgap.score");
    }
    rows::rollout roll;
    roll.format = rows::format_of_row(row, {}, rows::format_use::programs);
    rows::program_problems problems(by);
    rows::own_problems none(no_sandbox);
    rows::program_claim claim = rows::read_program(row, roll, {}, problems, none);
    rows::program_problems::problem const& posed = problems.all()[std::size_t(claim.problem)];
    program_problem out;
    out.key = posed.key;
    out.task = posed.task;
    for (std::int32_t k = 0; k < posed.rows.count; ++k) {
        out.instances.append(posed.task, problems.words(posed.rows.first + k));
    }
    out.specs = posed.specs;
    out.hash = posed.hash;
    out.language = name_of(claim.row.language);
    out.interface = name_of(claim.row.interface);
    out.input = rows::string_of(row, "input").value_or("");
    if (std::string_view const* const limits = rows::field_of(row, "limits")) {
        out.limits = is_json_string(*limits) ? decode_json_string(*limits) : std::string(*limits);
    }
    out.format = *claim.row.format;
    out.given = std::move(claim.given);
    return out;
}

}  // namespace optgap
