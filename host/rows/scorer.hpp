#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/rows/ahead_row.hpp"
#include "host/rows/row_kind.hpp"
#include "host/store/snapshot.hpp"
#include "optgap/statistics.hpp"

namespace optgap::rows {

/// The graded rows of a complete run.
struct graded_run {
    std::vector<graded_row> rows;
    std::vector<float> advantages;
    group_filter groups;
    run_report report;
};

/// The columns that scoring adds to a row of every kind.
std::span<std::string_view const> columns_of_scored_rows();

/// What a scorer's kinds are, and what they share with those of other scorers of the same options.
struct scorer_services {
    std::shared_ptr<shared_services> shared = {};
    std::span<kind_entry const> kinds = kind_entries();
};

/// Grades rows of every kind, batch by batch. Between batches it keeps the solved baselines and the groups' names, not
/// the rows. Use it from one thread at a time.
class scorer {
public:
    /// `by` must outlive it. `baselines` is the snapshot that options.baselines names (store::find_snapshot). `source`
    /// provides baselines, shares them with others and reads that snapshot; with nullptr the scorer makes its own.
    /// Throws error{invalid_argument} for options that do not fit.
    scorer(engine const& by, score_options options, store::snapshot_place const& baselines = {},
           std::shared_ptr<baseline_source> source = nullptr, scorer_services const& services = {});

    /// Returns one entry per item. Items that cannot be graded are rejected. Solves every distinct instance without a
    /// baseline once. Once `stop` is requested, programs that run are killed and their rows masked.
    std::vector<graded_row> score(std::span<row_item> items, std::stop_token const& stop = {});
    /// Whether some row's kind works in other processes, so that it may take seconds. Claims the rows for `score`.
    [[nodiscard]] bool leaves_process(std::span<row_item> items) const;
    /// Grades rows whose run is not known yet, and forgets them. Where `proves` is not set and a baseline is missing,
    /// false: nothing has been done. What it throws concerns one of the rows at least.
    bool grade_ahead(std::span<ahead_row* const> rows, bool proves = true, std::stop_token const& stop = {});
    /// Rewards that are of all rows of a run together: judgements.
    void settle(std::span<graded_row> rows) const;
    /// Advantages over all rows of a run, after `settle`. Entries with group -1 (rejected rows) get 0.
    [[nodiscard]] std::vector<float> advantages(std::span<graded_row const> rows) const;
    /// DAPO's keep-mask and the groups' counters; `keep` has one entry per row, 0 for rejected ones. `cell` as in
    /// filter_groups.
    [[nodiscard]] group_filter filter(std::span<graded_row const> rows, std::span<std::int32_t const> cell = {},
                                      std::int32_t cells = 0) const;
    /// Reports how many feasible answers beat their baseline, what became of programs, and groups too small for the
    /// estimator.
    [[nodiscard]] run_report report(std::span<graded_row const> rows = {}) const;
    /// What is computed over all rows of a run, once all of them have been scored.
    [[nodiscard]] graded_run close(std::vector<graded_row> rows) const;
    /// A run of these rows alone, from `forget` to `report`. `ahead`: one an item, what is known of it already, or
    /// null; empty: nothing is known of any. `stop` as of `score`.
    [[nodiscard]] graded_run run(std::span<row_item> items, std::span<ahead_row const* const> ahead = {},
                                 std::stop_token const& stop = {});
    /// Scores the items as a complete run and explains the one at `own`. `instance`: the hidden instance of a program
    /// to show; -1: the first that is not feasible. Throws field_error where the item is rejected, and
    /// error{invalid_argument} for an instance that the row does not have.
    [[nodiscard]] explanation explain(std::span<row_item> items, std::size_t own, std::int32_t instance = -1);
    /// What a model may be told of it; throws as `explain`.
    [[nodiscard]] finding find(std::span<row_item> items, std::size_t own);
    /// Ends the run: groups, duplicates and whatever else rows of one run share begin anew. Baselines stay as they are.
    void forget();

    /// The columns of a row that `write` writes. They replace the row's own columns of these names.
    [[nodiscard]] std::span<std::string_view const> columns(graded_row const& row) const;
    void write(row_sink& out, graded_row const& row, float advantage, bool keep) const;

    [[nodiscard]] std::span<std::unique_ptr<row_kind> const> kinds() const { return kinds_; }
    /// Index into kinds() of what a row would be graded by: the first that marks it, else the first that takes what is
    /// not marked; -1: none.
    [[nodiscard]] std::int32_t kind_claiming(json_row const& row) const;
    /// The kind that a row would be graded by; nullptr: none.
    [[nodiscard]] row_kind const* claimed_by(json_row const& row) const {
        std::int32_t const kind = kind_claiming(row);
        return kind < 0 ? nullptr : kinds_[std::size_t(kind)].get();
    }
    /// The problem of a row that is scored or will be, and the kind that knows it. Throws field_error.
    [[nodiscard]] std::pair<row_kind const*, row_problem> problem_of(json_row const& row) const;
    /// The kind of a row, where that is a `Kind`; else nullptr.
    template <class Kind>
    [[nodiscard]] Kind const* kind_of(graded_row const& row) const {
        return row.kind < 0 ? nullptr : dynamic_cast<Kind const*>(kinds_[std::size_t(row.kind)].get());
    }
    [[nodiscard]] std::string_view kind_name(graded_row const& row) const {
        return row.kind < 0 ? std::string_view() : kinds_[std::size_t(row.kind)]->info().name;
    }
    [[nodiscard]] std::int32_t group_id(std::string const& name) { return run_.names.group(name); }
    /// The scores that rankings compare, where the row's kind has several.
    [[nodiscard]] std::span<double const> scores_of(graded_row const& row) const {
        return row.kind < 0 ? std::span<double const>() : kinds_[std::size_t(row.kind)]->scores(row);
    }
    /// The task of a graded row.
    [[nodiscard]] std::string_view task_name(graded_row const& row) const { return run_.names.task_name(row.task); }
    [[nodiscard]] std::string_view code_name(graded_row const& row) const {
        return code_name(row.task, row.value.code);
    }
    [[nodiscard]] std::string_view code_name(std::int32_t task, std::int32_t code) const;
    [[nodiscard]] score_options const& options() const { return options_; }
    [[nodiscard]] task_table const& tasks() const { return tasks_; }
    /// Everything that the numbers depend on beside the rows (optgap/run_record.hpp).
    [[nodiscard]] std::string record() const;
    [[nodiscard]] std::string const& fingerprint() const { return fingerprint_; }

private:
    [[nodiscard]] std::string const& format_name(std::int32_t format) const;
    void claim_rows(std::span<row_item> items) const;
    [[nodiscard]] std::optional<explanation> explain_unscored(row_item& item);
    /// How a call's rows are graded.
    struct grading {
        std::span<ahead_row const* const> ahead = {};  ///< as of `run`
        bool proves = true;                            ///< else a missing baseline ends it
        std::stop_token stop = {};
    };
    /// False where a baseline is missing that may not be proven.
    bool score(std::span<row_item> items, grading const& how, std::vector<graded_row>& out);
    bool grade(row_kind& kind, row_batch& batch, grading const& how, std::span<graded_row> out);
    void join(row_kind& kind, row_item& item, ahead_row const& known, graded_row& out);
    void require_lengths(row_kind const& kind, row_batch& batch) const;
    void require_widths(std::span<row_item> items, std::span<graded_row> rows);
    [[nodiscard]] std::vector<float> advantages_by(std::span<graded_row const> rows, advantage_spec const& spec) const;
    [[nodiscard]] static std::vector<float> run_along(std::span<graded_row const> rows, role_estimator const& how);
    score_options options_;
    engine const& engine_;
    task_table tasks_;
    reward_rules reward_;
    std::string snapshot_hash_;  ///< empty without options.baselines
    std::shared_ptr<baseline_source> baselines_;
    role_table roles_;
    advantage_spec advantage_;  ///< the solvers'
    run_services run_;
    std::vector<std::unique_ptr<row_kind>> kinds_;
    std::vector<bool> touched_;                           ///< by kind: it has had rows since it forgot them
    std::vector<std::vector<std::string_view>> columns_;  ///< by kind
    std::string fingerprint_;
    mutable std::vector<std::string> format_names_;           ///< of known_formats(), each made once
    std::unordered_map<std::int32_t, std::size_t> width_of_;  ///< scores per row, by group
};

}  // namespace optgap::rows
