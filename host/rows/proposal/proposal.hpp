#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/rows/row_kind.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap::rows {

class proposal_row_kind final : public row_kind {
public:
    explicit proposal_row_kind(run_services& run);

    [[nodiscard]] kind_info const& info() const override;
    [[nodiscard]] claim claims(json_row const& row) const override;
    [[nodiscard]] row_problem problem(json_row const& row) const override;
    void read(row_batch& batch) override;
    void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) override;
    void write(row_sink& out, graded_row const& row) const override;
    [[nodiscard]] finding find(explained_rows const& rows) override;
    [[nodiscard]] explanation explain(explained_rows const& rows) override;
    void forget() override;

    [[nodiscard]] checked_proposal const& found(graded_row const& row) const { return found_[std::size_t(row.entry)]; }

private:
    [[nodiscard]] rollout read_one(row_item const& item, text_arena& texts) const;

    run_services& run_;
    score_options own_;  ///< the run's, with the format for answers
    std::int32_t format_;
    std::unique_ptr<proposal_checker> checker_;
    std::vector<checked_proposal> found_;
    std::map<std::string, std::int64_t> steps_;  ///< numbers for the values of `step`
};

}  // namespace optgap::rows
