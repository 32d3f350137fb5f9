#pragma once
// Rows in which a model poses a problem (docs/coevolution.md):
//
//   {"proposal": {"task": "tsp", "level": "d12", "seed": 7}}
//   {"role": "proposer", "completion": "… <question>{"task": …}</question>"}

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"
#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

class proposal_rows {
public:
    /// `spec`: says what truncated rollouts earn; the gates say all else.
    proposal_rows(engine const& by, score_options const& options, reward_spec const& spec);

    /// Marks the rows that are paid here (row_item::proposal, and external: no task of this build's) and rejects those
    /// that hold something else beside.
    void claim(std::span<row_item> items) const;
    /// What the row says of its rollout; throws field_error.
    [[nodiscard]] rollout read(json_row const& row, std::string& arena) const;
    /// Writes the entries of the rows that are marked and still sound, but for group and task. In the rows' order: what
    /// is a duplicate depends on the rows before.
    void score(std::span<row_item const> items, std::span<rollout const> rollouts, std::span<scored_row> out);

    /// Rows with one prompt are compared with each other.
    [[nodiscard]] static std::string group_of(row_item const& item);
    /// What statistics call a row's task.
    [[nodiscard]] std::string task_of(scored_row const& scored) const;
    [[nodiscard]] checked_proposal const& found(scored_row const& scored) const {
        return found_[std::size_t(scored.proposal)];
    }

    static std::span<std::string_view const> columns();
    void write(row_writer& row, scored_row const& scored) const;

private:
    void hold_out(std::string const& file);

    engine const& engine_;
    score_options own_;  ///< the command's, whose format is the answers'
    reward_spec spec_;
    std::int32_t format_;
    proposal_checker checker_;
    std::vector<checked_proposal> found_;
    std::map<std::string, std::int64_t> steps_;  ///< numbers of what rows name as their `step`
};

/// --proposals and --held-out.
void add_proposal_options(command_entry command, score_options& options);

}  // namespace optgap::cli
