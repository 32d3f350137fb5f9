#pragma once
// Rows that a chain pays (docs/chains.md):
//
//   {"chain": {…}, "prompt": "…", "completion": "…"}

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/pay/code_checks.hpp"
#include "tools/cli/pay/kinds/chain_file.hpp"
#include "tools/cli/pay/kinds/program_rows.hpp"
#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

/// What a chain said of one text, in a few numbers.
struct chain_outcome {
    std::string preset;
    double total = 0, content = 0, style = 0;
    bool held_back = false;  ///< a gate's factor is below 1
};

class chain_rows {
public:
    /// `spec`: says what truncated rollouts earn; chains say all else themselves.
    chain_rows(score_options const& options, reward_spec const& spec);

    /// Marks the rows that are paid here (row_item::chain, and external: no task of this build's) and rejects those
    /// whose chain cannot count.
    void claim(std::span<row_item> items);
    /// Writes the entries of the rows that are marked and still sound, but for group and task.
    void score(std::span<row_item> items, std::span<rollout const> rollouts, std::span<scored_row> out);

    /// What rows of one chain are grouped by.
    [[nodiscard]] std::string group_of(row_item const& item) const { return "chain " + chains_.at(item.chain).key(); }
    /// What statistics call a row's task.
    [[nodiscard]] std::string task_of(row_item const& item) const;

    static std::span<std::string_view const> columns();
    void write(row_writer& row, scored_row const& scored) const;
    [[nodiscard]] chain_outcome outcome_of(scored_row const& scored) const;

private:
    /// Runs the checks in Python of all rows; rejects those rows where nothing may run or the machine fails.
    void run_codes(std::span<row_item> items, std::span<rollout const> rollouts);
    [[nodiscard]] std::string format_of(json_row const& row, rollout const& roll) const;

    chain_file chains_;
    bool external_;
    bool format_said_;
    reward_spec spec_;
    std::string isolation_;
    program_sandboxes sandboxes_;
    std::optional<programs::code_checks> codes_;
    std::vector<chain::text_score> scores_;
    std::vector<chain::preset> presets_;
};

/// A row's `prompt`: a text, or a list of messages, joined by their contents; empty: none. Throws field_error.
std::string row_prompt(json_row const& row);

/// --chain-preset and --chains.
void add_chain_options(command_entry command, score_options& options);

}  // namespace optgap::cli
