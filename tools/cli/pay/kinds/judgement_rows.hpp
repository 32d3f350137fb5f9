#pragma once
// Rows in which a model judges an answer or a question (docs/coevolution.md):
//
//   {"role": "judge", "completion": "… <score>7</score>", "judged": {"key": "tsp@1:train:d5:1", "completion": "…"}}

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/reward.hpp"
#include "optgap/roles/judge.hpp"
#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

/// What a row says of its judgement, read or as optgap score wrote it.
struct judgement_outcome {
    judged_row row;
    std::string step;  ///< the row's `step` as JSON; empty: it names none
};

/// What a judgement is of.
struct judged_thing {
    bool question = false;   ///< a proposal; else an answer
    std::int32_t code = 0;   ///< what the verifier or the gates say of it
    std::int32_t task = -1;  ///< of an answer
    bool feasible = false, optimal = false, proven = false;
    double normalized = 0;  ///< an answer's quality
};

inline constexpr std::string_view judge_band_names[] = {"1-3", "4-7", "8-10"};

class judgement_rows {
public:
    /// `spec`: says what truncated rollouts earn.
    judgement_rows(score_options const& options, reward_spec const& spec);

    /// Marks the rows that are paid here (row_item::judgement, and external: no task of this build's).
    void claim(std::span<row_item> items) const;
    /// Scores answers that are judged, one entry an item.
    using answer_scorer = std::function<std::vector<scored_row>(std::span<row_item>)>;
    /// What is proven of what each row judges; before `score`. Rejects rows that judge nothing of which that can be
    /// said. `task_name` is what statistics call an answer's task.
    void find_truths(std::span<row_item> items, answer_scorer const& score,
                     std::function<std::string(scored_row const&)> const& task_name);
    /// What the row says of its rollout; throws field_error.
    [[nodiscard]] rollout read(json_row const& row, std::string& arena) const;
    /// Writes the entries of the rows that are marked and still sound, but for group, task and reward.
    void score(std::span<row_item const> items, std::span<rollout const> rollouts, std::span<scored_row> out);
    /// Rewards of all rows of a file: what a constant judge would earn is theirs together.
    void settle(std::span<scored_row> rows) const;

    /// Judgements of answers to one question are compared with each other.
    [[nodiscard]] std::string const& group_of(scored_row const& scored) const { return found(scored).group; }
    [[nodiscard]] std::string const& task_of(scored_row const& scored) const { return found(scored).task; }
    [[nodiscard]] judged_row judged(scored_row const& scored) const {
        return {found(scored).said, found(scored).truth, scored.group};
    }

    [[nodiscard]] judged_thing const& thing_of(scored_row const& scored) const { return found(scored).of; }
    [[nodiscard]] judge_reward rule() const { return by_; }

    static std::span<std::string_view const> columns();
    void write(row_writer& row, scored_row const& scored) const;

private:
    struct place {
        judgement said;
        judge_truth truth;
        judged_thing of;
        std::string group, task;
    };
    [[nodiscard]] place const& found(scored_row const& scored) const { return found_[std::size_t(scored.judgement)]; }

    score_options own_;  ///< the command's, without the answers' format
    reward_spec spec_;
    judge_reward by_;
    score_parser parser_;
    std::vector<place> found_;
    std::vector<std::int64_t> next_;  ///< of the batch's items: their place in found_; -1: none
};

/// What the columns of a scored row say; throws field_error.
judgement_outcome read_judgement_outcome(json_row const& row);
/// Is this a row in which a model judges?
bool is_judgement(json_row const& row);

/// --judge and --judge-parser.
void add_judge_options(command_entry command, score_options& options);

}  // namespace optgap::cli
