#pragma once
// What optgap eval says of judgements: how they agree with what is proven (docs/coevolution.md).

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "host/rows/judgement/judgement.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// By step, and all of them.
class judge_rates {
public:
    void add(judgement_outcome const& found);
    [[nodiscard]] bool empty() const { return all_.rows == 0; }
    [[nodiscard]] std::string table_text() const;
    /// [{step, rows, unreadable, unproven, confusion [truth][said], kappa, auc, calibration [score 1 to 10]}]; the last
    /// is of all rows, and its step null.
    [[nodiscard]] nlohmann::ordered_json summaries() const;

private:
    std::map<std::pair<std::size_t, std::string>, judge_counts> by_step_;  ///< by the number's digits, then by text
    judge_counts all_;
};

}  // namespace optgap::cli
