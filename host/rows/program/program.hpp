#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "host/program_runs/program_rewards.hpp"
#include "host/rows/program/program_row.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {

/// What a program's row shows beside the columns of all rows.
struct program_details {
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> objectives;  ///< no_objective where invalid
    std::vector<double> scores;            ///< NaN where invalid
    std::vector<baseline> baselines;
    double valid = 0;
    std::string hash;
    std::string isolation;
    programs::program_language language = programs::program_language::python;
    bool masked = false;
    std::string compile_line;  ///< the compiler's first complaint
    std::string problem;       ///< the digest of a user's own problem; empty: the instances are a task's
    sense direction = sense::minimise;
};

programs::batch_options batch_options_of(program_options const& options, std::stop_token const& stop);

class program_kind final : public row_kind {
public:
    explicit program_kind(run_services& run);
    ~program_kind() override;

    [[nodiscard]] kind_info const& info() const override;
    [[nodiscard]] row_problem problem(json_row const& row) const override;
    [[nodiscard]] claim claims(json_row const& row) const override;
    [[nodiscard]] bool alone() const override { return options_.estimate; }
    void read(row_batch& batch) override;
    void wants(row_batch& batch, wanted_baselines& out) override;
    void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) override;
    std::shared_ptr<void> take(graded_row const& row) override;
    void put(graded_row& row, std::shared_ptr<void> const& kept) override;
    [[nodiscard]] std::span<double const> scores(graded_row const& row) const override;
    [[nodiscard]] std::vector<std::string_view> added() const override;
    [[nodiscard]] bool has_baselines() const override { return true; }
    void write(row_sink& out, graded_row const& row) const override;
    [[nodiscard]] finding find(explained_rows const& rows) override;
    [[nodiscard]] explanation explain(explained_rows const& rows) override;
    [[nodiscard]] std::int32_t hidden_instances(graded_row const& row) const override;
    void tell(run_report& out) const override;
    void forget() override;

    [[nodiscard]] program_details const& details(graded_row const& row) const {
        return details_[std::size_t(row.entry)];
    }

private:
    /// Of a row that leaves its run, and with the first of them all that its batch was counted as.
    struct kept_row {
        program_details shown;
        programs::batch_counts counts;
        std::int64_t cells = 0;
    };
    /// Rows that are run in one call, with their problems' instances and baselines.
    struct ran_rows {
        std::vector<std::size_t> mine;                 ///< places in the batch
        std::vector<programs::problem_rows> problems;  ///< with an entry of the next three each
        std::vector<std::int32_t> task;
        std::vector<sense> direction;
        std::vector<std::string> digest;  ///< of a user's own problem
        std::vector<baseline> baselines;  ///< one per instance
        std::vector<programs::program_row> rows;
        std::vector<std::int32_t> length, group;
        std::vector<std::int64_t> line_of;

        void add_row(row_batch const& batch, std::size_t i, programs::program_row const& row, std::int32_t its_group);
    };
    /// The sandbox of rows in a language; null, and the rows rejected, where none holds it.
    std::shared_ptr<programs::sandbox> sandbox_for(programs::program_language language, bool steps,
                                                   std::span<std::size_t const> mine, row_batch& batch);
    void run_language(programs::program_language language, bool steps, row_batch& batch,
                      std::span<sourced_baseline const> known, std::span<graded_row> out);
    void run_own(programs::program_language language, bool steps, row_batch& batch, std::span<graded_row> out);
    void explain_own(explanation& out, program_claim const& claim, explained_rows const& rows);
    void keep_rows(ran_rows const& ran, programs::program_matrix const& found, program_runs::program_bill const& bill,
                   std::string const& isolation, std::span<graded_row> out);
    [[nodiscard]] std::string code_words(std::int32_t task, std::int32_t code) const;
    void explain_run(explanation& out, program_claim const& claim, explained_rows const& rows);
    void write_timings(programs::program_matrix const& found, std::span<std::int64_t const> line_of);
    void estimate(row_batch const& batch);

    run_services& run_;
    program_options options_;
    std::shared_ptr<program_runs::shared_sandboxes> sandboxes_;
    std::FILE* timings_ = nullptr;
    program_problems problems_;  ///< the batch's
    own_problems own_;
    std::vector<program_claim> claims_;              ///< one per item
    std::vector<std::vector<std::int32_t>> wanted_;  ///< per problem, an index for each instance; empty: all are given
    std::vector<std::int32_t> group_;                ///< one per item of the batch
    std::vector<program_details> details_;
    programs::batch_counts counts_;
    double changed_ranks_ = 0;
    std::int64_t ranked_cells_ = 0, cells_ = 0;
    struct {
        std::int64_t rows = 0, programs = 0, runs = 0;
        double run_ms = 0, compile_ms = 0;
        std::set<std::string> different;
    } estimated_;
};

}  // namespace optgap::rows
