#pragma once
// Rows whose problem is a folder of the user's own (docs/problems.md): {"problem": "parcels", "seeds": [1, 2],
// "language": "python", "completion": "…"}.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/programs/own/own_problem_runs.hpp"
#include "host/rows/json/jsonl.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {

struct program_claim;

/// Whether `problem` names the row's problem: it is a string, and there are a `language` and no other name of one.
bool is_own_problem_row(json_row const& row);

/// The problem's name, without reading it. Throws field_error.
row_problem own_row_problem(json_row const& row);

/// The row's `seeds`, else the problem's first instances: seeds from 1 on, or all tests. Throws field_error.
std::vector<std::uint64_t> own_seeds(json_row const& row, programs::own_problem const& problem);

/// The name of a row's group where it gives none.
std::string own_group(program_claim const& claim);

/// Problems by their name in a row. Each is read once, and kept with its inputs.
class own_problems {
public:
    explicit own_problems(programs::sandbox_of_language in) : in_(std::move(in)) {}
    /// Throws field_error{"problem", …}.
    programs::own_problem_runs& of(json_row const& row);

private:
    programs::sandbox_of_language in_;
    std::map<std::string, std::unique_ptr<programs::own_problem_runs>> known_;
};

}  // namespace optgap::rows
