#pragma once
// Rows whose problem is a folder of the user's own (docs/problems.md): {"problem": "parcels", "seeds": [1, 2],
// "language": "python", "completion": "…"}.

#include <cstddef>
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

/// Problems by their name in a row. Each is read once, and kept with its inputs and references within a bound.
class own_problems {
public:
    explicit own_problems(programs::sandbox_of_language in) : in_(std::move(in)) {}
    /// Throws field_error{"problem", …}, also where the files have changed since they were read first.
    programs::own_problem_runs& of(json_row const& row);
    /// Forgets the problems that were used longest ago until the others hold at most `bytes`. What `of` returned is no
    /// longer valid.
    void keep_within(std::size_t bytes);

private:
    struct known_problem {
        std::unique_ptr<programs::own_problem_runs> runs;  ///< null when it was forgotten
        std::string digest;
        std::uint64_t last_use = 0;
    };
    programs::sandbox_of_language in_;
    std::map<std::string, known_problem> known_;
    std::uint64_t uses_ = 0;
};

/// What a process keeps of users' own problems between batches.
inline constexpr std::size_t max_kept_problem_bytes = std::size_t(512) << 20;

}  // namespace optgap::rows
