#pragma once
// The problems that a batch of program rows names. Each is generated or read once.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/programs/problem.hpp"
#include "host/programs/run_batch.hpp"
#include "host/rows/json/jsonl.hpp"
#include "optgap/engine.hpp"

namespace optgap::rows {

/// Whether the row's completion is a program: its key names several instances, or it has `instances`.
bool is_program_row(json_row const& row);

class program_problems {
public:
    /// `by` must outlive it.
    explicit program_problems(engine const& by) : by_(&by) {}

    struct problem {
        std::string key;  ///< with its hash
        std::int32_t task = -1;
        programs::problem_rows rows;
        std::vector<instance_spec> specs;  ///< task -1 where the instance is a user's own
        instance_hash hash;
    };

    /// Returns the index into problems() of the problem that the row names by `key`, or by `task` and `instances`.
    /// Repeated information must agree. Throws field_error.
    std::int32_t add(json_row const& row);

    [[nodiscard]] std::vector<problem> const& all() const { return problems_; }
    [[nodiscard]] instance_view instances() const { return instances_.view(); }
    [[nodiscard]] std::span<std::int32_t const> words(std::int64_t instance) const {
        return instances_.blocks.row(instance);
    }

private:
    problem read(json_row const& row);

    engine const* by_;
    instance_batch instances_;
    std::vector<problem> problems_;
    std::map<std::string, std::int32_t> known_;  ///< by the raw texts in the row
};

}  // namespace optgap::rows
