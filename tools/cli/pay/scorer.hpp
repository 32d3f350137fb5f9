#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/store/snapshot.hpp"
#include "optgap/statistics.hpp"
#include "tools/cli/pay/kinds/chain_rows.hpp"
#include "tools/cli/pay/kinds/external_rows.hpp"
#include "tools/cli/pay/kinds/judgement_rows.hpp"
#include "tools/cli/pay/kinds/program_rows.hpp"
#include "tools/cli/pay/kinds/proposal_rows.hpp"
#include "tools/cli/pay/outbox.hpp"
#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/instances.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

/// Of --baselines, which the engine made afterwards says to a daemon.
store::snapshot_place snapshot_of(context& ctx, score_options const& options);

/// Scores rows batch by batch. Between batches it keeps the solved baselines and the groups' names, not the instances.
class scorer {
public:
    scorer(context& ctx, score_options const& options);

    /// One entry per item; items that cannot be scored are rejected. Solves every distinct instance without a baseline
    /// once.
    std::vector<scored_row> score(std::span<row_item> items);
    /// Rewards that are of all rows of a file together: judgements.
    void settle(std::span<scored_row> rows) const { judged_.settle(rows); }
    /// Over all rows of a file, once they are settled; entries with group -1 (rejected rows) get 0.
    [[nodiscard]] std::vector<float> advantages(std::span<scored_row const> rows) const;
    /// DAPO's keep-mask and the groups' counters; `keep` has one entry per row, 0 for rejected ones. `cell` as in
    /// filter_groups.
    [[nodiscard]] group_filter filter(std::span<scored_row const> rows, std::span<std::int32_t const> cell = {},
                                      std::int32_t cells = 0) const;
    /// Says on stderr how many feasible answers beat their baseline, what became of programs and of groups too small
    /// for the estimator.
    void report(std::span<scored_row const> rows = {});
    /// nullptr for rows that hold no program.
    [[nodiscard]] program_details const* program_of(scored_row const& row) const {
        return row.program < 0 ? nullptr : &programs_.details(row);
    }
    [[nodiscard]] std::int32_t group_id(std::string const& name);
    /// Of a row that score() paid.
    [[nodiscard]] std::string_view task_name(scored_row const& row) const;
    [[nodiscard]] std::string_view code_name(scored_row const& row) const {
        return code_name(row.task, row.value.code);
    }
    [[nodiscard]] std::string_view code_name(std::int32_t task, std::int32_t code) const;
    [[nodiscard]] score_options const& options() const { return options_; }
    [[nodiscard]] chain_rows const& chained() const { return chained_; }
    [[nodiscard]] proposal_rows const& proposed() const { return proposed_; }
    [[nodiscard]] judgement_rows const& judged() const { return judged_; }
    /// Everything the numbers depend on beside the rows (optgap/run_record.hpp).
    [[nodiscard]] std::string record() const;
    [[nodiscard]] std::string const& fingerprint() const { return fingerprint_; }

private:
    std::vector<rollout> read(std::span<row_item> items, std::string& arena) const;
    void solve_missing(std::span<row_item> items, std::span<rollout const> rollouts);
    void require_widths(std::span<row_item> items, std::span<scored_row> rows);
    [[nodiscard]] std::vector<float> advantages_by(std::span<scored_row const> rows, advantage_spec const& spec) const;
    [[nodiscard]] std::vector<float> ranked(std::span<scored_row const> rows, advantage_spec const& spec) const;
    [[nodiscard]] static std::vector<float> run_along(std::span<scored_row const> rows, role_estimator const& how);
    [[nodiscard]] baseline const& baseline_of(row_item const& item, rollout const& roll) const;

    context& ctx_;
    score_options const& options_;
    store::snapshot_place place_;
    engine const& engine_;
    reward_rules reward_;
    std::unique_ptr<store::snapshot> snapshot_;  ///< of --baselines; else nullptr
    role_table roles_;
    advantage_spec advantage_;  ///< the solvers'
    std::string fingerprint_;
    outbox outbox_;
    external_rows outside_;
    program_rows programs_;
    chain_rows chained_;
    proposal_rows proposed_;
    judgement_rows judged_;
    instance_set instances_;
    std::unordered_map<instance_id, store::found_baseline, instance_id_hash> solved_;
    std::unordered_map<std::string, std::int32_t> groups_;
    std::unordered_map<std::int32_t, std::size_t> width_of_;  ///< scores a row, of groups
    std::int64_t beat_proven_ = 0;
    std::int64_t beat_unproven_ = 0;
};

}  // namespace optgap::cli
