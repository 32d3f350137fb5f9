#pragma once
// Rows of problems that are none of this build's. Their verdict came from outside and stands in the row:
//
//   {"key": "mine/toy@1:train:d3:17", "completion": "…", "external": {"reward": 0.5}}
//
// What its fields mean is said in docs/external.md and, for Python, in python/optgap/external/protocol.py.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

class external_rows {
public:
    /// `allowed`: of --external. `first_task`: the number of the first task outside, above those of the build's own.
    external_rows(bool allowed, reward_spec const& spec, std::int32_t first_task)
        : allowed_(allowed), spec_(spec), first_task_(first_task) {}

    /// Marks the rows that are paid here (row_item::external) and rejects those whose `external` cannot count.
    void claim(std::span<row_item> items);
    /// Writes the entries of the rows that are marked and still sound, but for their group.
    void score(std::span<row_item const> items, std::span<rollout const> rollouts, std::span<scored_row> out);
    /// The number of a task outside, new where it is not known yet.
    std::int32_t task_number(std::string const& name);
    [[nodiscard]] std::string const& task_name(std::int32_t task) const {
        return names_[std::size_t(task - first_task_)];
    }

private:
    bool allowed_;
    reward_spec spec_;
    std::int32_t first_task_;
    std::map<std::string, std::int32_t> tasks_;
    std::vector<std::string> names_;
};

}  // namespace optgap::cli
