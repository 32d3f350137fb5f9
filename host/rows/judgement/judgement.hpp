#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/rows/row_kind.hpp"
#include "optgap/roles/judge.hpp"

namespace optgap::rows {

/// A row's judgement, either just graded or as optgap score wrote it.
struct judgement_outcome {
    judged_row row;
    std::string step;  ///< the row's `step` as JSON; empty: none
};

/// The answer or question that is judged.
struct judged_thing {
    bool question = false;   ///< a proposal, not an answer
    std::int32_t code = 0;   ///< the verifier's or the gates'
    std::int32_t task = -1;  ///< of an answer
    bool feasible = false, optimal = false, proven = false;
    double normalized = 0;   ///< an answer's quality
    bool free_text = false;  ///< a question in free text, or an answer to one: nothing is proven of it
};

inline constexpr std::string_view judge_band_names[] = {"1-3", "4-7", "8-10"};

class judgement_kind final : public row_kind {
public:
    explicit judgement_kind(run_services& run);

    [[nodiscard]] kind_info const& info() const override;
    [[nodiscard]] claim claims(json_row const& row) const override;
    void read(row_batch& batch) override;
    std::vector<asked_row> asks(row_batch& batch) override;
    void answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded) override;
    void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) override;
    void settle(std::span<graded_row* const> rows) override;
    void write(row_sink& out, graded_row const& row) const override;
    [[nodiscard]] finding find(explained_rows const& rows) override;
    [[nodiscard]] explanation explain(explained_rows const& rows) override;
    void forget() override { kept_.clear(); }

    [[nodiscard]] judged_row judged(graded_row const& row) const {
        return {found(row).said, found(row).truth, row.group};
    }

private:
    [[nodiscard]] judged_thing const& thing_of(graded_row const& row) const { return found(row).of; }
    static option const& rule_option();
    static option const& reader_option();
    struct kept_row {
        judgement said;
        judge_truth truth;
        judged_thing of;
        std::string group, task;
    };
    [[nodiscard]] kept_row const& found(graded_row const& row) const { return kept_[std::size_t(row.entry)]; }

    run_services& run_;
    score_options own_;  ///< the run's, without the answers' format
    judge_reward rule_;
    score_parser parser_;
    std::vector<kept_row> kept_;
    std::vector<std::int64_t> next_;  ///< for the batch's items: their place in kept_; -1: none
};

/// Reads a judgement from the columns of a scored row; throws field_error.
judgement_outcome read_judgement_outcome(json_row const& row);

}  // namespace optgap::rows
