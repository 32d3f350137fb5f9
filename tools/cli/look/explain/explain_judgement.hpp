#pragma once
// optgap explain of a row in which a model judges.

#include <map>
#include <string>

#include "tools/cli/pay/explain_text.hpp"
#include "tools/cli/pay/score_command.hpp"

namespace optgap::cli {

/// The judgements of a file: what one earns depends on the others, since what a constant judge would earn goes.
class judgement_explainer {
public:
    judgement_explainer(context& ctx, score_options const& options) : ctx_(ctx), options_(options) {}

    /// Keeps the row, where a model judges in it; says whether one does.
    bool take(row_item const& item);
    /// Of line `number`, which was taken, among all that were: what the parser read, what is proven of what it judges,
    /// and what it earns by that. A row that is rejected says so and sets exit_rejected.
    [[nodiscard]] std::string text(std::int64_t number, painter const& paint);

private:
    context& ctx_;
    score_options const& options_;
    std::map<std::int64_t, std::string> lines_;
};

}  // namespace optgap::cli
