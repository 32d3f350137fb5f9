#include "host/rows/program/program_problems.hpp"

#include <nlohmann/json.hpp>

#include "host/programs/problem_record.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/program/own_problems.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::rows {
namespace {

std::string problem_claim(json_row const& row) {
    std::string text;
    for (std::string_view const name : {"key", "task", "instances"}) {
        std::string_view const* const value = row.find(name);
        text += value == nullptr ? std::string_view() : *value;
        text += '\n';
    }
    return text;
}

}  // namespace

bool is_program_row(json_row const& row) {
    std::string_view const* const key = row.find("key");
    bool const perhaps = key != nullptr && is_json_string(*key) &&
                         (key->find('*') != std::string_view::npos || key->find('\\') != std::string_view::npos);
    bool const named = perhaps && programs::is_problem_key(decode_json_string(*key));
    return named || has(row, "instances") || is_own_problem_row(row);
}

program_problems::problem program_problems::read(json_row const& row) {
    nlohmann::ordered_json instances;
    bool const own = has(row, "instances");
    if (own) {
        instances = read_json(*row.find("instances"));
    }
    programs::posed_problem posed = programs::read_problem(
        *by_, {.key = string_of(row, "key"), .task = string_of(row, "task"), .instances = own ? &instances : nullptr});
    problem made;
    made.key = std::move(posed.key);
    made.task = posed.task;
    made.specs = std::move(posed.specs);
    made.hash = posed.hash;
    made.rows = {instances_.size(), std::int32_t(posed.instances.size())};
    for (std::int64_t k = 0; k < posed.instances.size(); ++k) {
        instances_.append(made.task, posed.instances.blocks.row(k));
    }
    return made;
}

std::int32_t program_problems::add(json_row const& row) {
    std::string claim = problem_claim(row);
    if (auto const known = known_.find(claim); known != known_.end()) {
        return known->second;
    }
    problems_.push_back(read(row));
    std::int32_t const index = std::int32_t(problems_.size()) - 1;
    known_.emplace(std::move(claim), index);
    return index;
}

}  // namespace optgap::rows
