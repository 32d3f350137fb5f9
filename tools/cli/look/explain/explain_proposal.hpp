#pragma once
// optgap explain of a row that poses a problem.

#include <span>

#include "host/rows/proposal/proposal.hpp"
#include "tools/cli/pay/explain_text.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// The rows of a file up to the one that is explained: what is a duplicate depends on those before.
class proposal_explainer {
public:
    proposal_explainer(context& ctx, score_options const& options);

    /// Judges the row, where it poses a problem; says whether it does.
    bool take(row_item& item);
    /// Of the row that was taken last: its text with the place that is wrong, each gate in words, what it earns.
    [[nodiscard]] std::string text(row_item const& item, painter const& paint) const;

private:
    context& ctx_;
    score_options const& options_;
    task_table const& tasks_;
    reward_rules reward_;
    run_services run_;
    proposal_row_kind rows_;
    text_arena texts_;
    std::string posed_;
    rollout roll_;
    graded_row row_;
};

}  // namespace optgap::cli
