#pragma once
// What optgap eval says of rows that a rubric rewards (docs/rubrics.md).

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "host/report/evaluation.hpp"
#include "host/rows/json/jsonl.hpp"
#include "host/rows/text/text.hpp"
#include "optgap/reward.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// What the columns of a scored row say; nothing where the row is no rubric's. Throws field_error.
std::optional<rubric_outcome> read_rubric_outcome(json_row const& row);

/// By preset: totals of different presets are no common scale.
class rubric_rates {
public:
    /// `group` is any id of rows that are compared.
    void add(rubric_outcome const& found, reward_row const& value, std::int32_t group);
    [[nodiscard]] bool empty() const { return by_preset_.empty(); }
    [[nodiscard]] std::string table_text() const;
    /// [{preset, rows, total, content, style, normalized, held_back, groups, zero_variance_groups, truncated}]
    [[nodiscard]] nlohmann::ordered_json summaries() const;

private:
    struct sums {
        std::int64_t rows = 0, held_back = 0, truncated = 0;
        double total = 0, content = 0, style = 0, normalized = 0;
        rollout_groups groups;
        [[nodiscard]] double mean(double sum) const { return sum / double(rows); }
        [[nodiscard]] std::int64_t zero_variance_groups() const;
    };
    std::map<std::string, sums> by_preset_;
};

}  // namespace optgap::cli
