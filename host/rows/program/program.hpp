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
};

class program_kind final : public row_kind {
public:
    explicit program_kind(run_services& run);
    ~program_kind() override;

    [[nodiscard]] kind_info const& info() const override;
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
    void run_language(programs::program_language language, bool steps, row_batch& batch,
                      std::span<sourced_baseline const> known, std::span<graded_row> out);
    [[nodiscard]] std::string code_words(std::int32_t task, std::int32_t code) const;
    void explain_run(explanation& out, program_claim const& claim, explained_rows const& rows);
    void write_timings(programs::program_matrix const& found, std::span<std::int64_t const> line_of);
    void estimate(row_batch const& batch);

    run_services& run_;
    program_options options_;
    std::shared_ptr<program_sandboxes> sandboxes_;
    std::FILE* timings_ = nullptr;
    program_problems problems_;                      ///< the batch's
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
