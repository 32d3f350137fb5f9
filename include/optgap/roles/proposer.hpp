#pragma once  // Experimental.
// The rewards of a proposer, from the gates and the group of its problem's solvers. Whole numbers in units of 2^-20, so
// that every machine gives the same.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/proposals/proposal.hpp"

namespace optgap {

inline constexpr std::int64_t role_unit = std::int64_t(1) << 20;

/// Sums over a problem's group of answers, of quality x from 0 (infeasible, or no better than the constant-policy
/// baseline) to 1.
struct group_sums {
    std::int64_t rows = 0;      ///< up to 2^20
    std::int64_t feasible = 0;  ///< answers
    std::int64_t solved = 0;    ///< answers that are proven optimal
    std::int64_t sum = 0;       ///< of x, in units
    std::int64_t sum_sq = 0;    ///< of x², in units of 2^-40
    void add(bool is_feasible, bool is_optimal, double normalized);
};
/// Mean quality; 0 for no rows.
[[nodiscard]] std::int64_t mean_units(group_sums const& of);
/// min(1, 4 s²), s² the sample variance: of answers that are right or wrong the unbiased estimate of 4 p (1 - p). 0 for
/// fewer than two rows.
[[nodiscard]] std::int64_t signal_units(group_sums const& of);
/// 1 / sqrt(1 + before), shared by `equal` proposals of one canonical form.
[[nodiscard]] std::int64_t novelty_units(std::int64_t before, std::int64_t equal);

/// The cell of a problem; problems of one cell are alike for novelty. It combines task; size, gap of the greedy answer,
/// steps of the proof and number of distinct noisy greedy answers, each to a power of two or an eighth.
[[nodiscard]] std::int64_t descriptor_cell(checked_proposal const& of, sense direction);
/// 1 less the quality of the greedy answer, 1 where it has none.
[[nodiscard]] std::int64_t greedy_gap_units(baseline const& of, sense direction);

/// The proposal of a completion in this format, and its place in the completion.
struct posed_text {
    proposal_text proposal;
    text_span span;
};
[[nodiscard]] posed_text posed_in(std::string_view completion, format_spec const& by, finish finished);

/// Completions that pose problems, judged.
struct proposal_batch {
    std::vector<checked_proposal> rows;
    std::vector<text_span> span;  ///< of each question in its completion
};
/// Checks the proposals of completions in question_format(). `finished`: empty for unknown.
[[nodiscard]] proposal_batch check_completions(proposal_checker& by, std::span<std::string_view const> completions,
                                               std::span<finish const> finished, std::int64_t step);

enum class proposer_reward : std::int32_t {
    proof = 0,     ///< gate_reward where a gate fails; else a third each of signal, novelty, hardness, less the price
    mae_paper,     ///< (quality + 1 - mean + form) / 3
    mae_repo,      ///< the same; (quality + form) / 3 below a quality of 0.7; 0 without a question
    azr,           ///< -1 in a broken format; -1/2 before the last gate; 1 - mean, but 0 where all failed
    r_zero,        ///< min(mean, 1 - mean) less the share of its cluster in the batch; -1 in a broken format
    r_zero_paper,  ///< 1 - 2 |mean - 1/2|; 0 in a broken format
    sqlm,          ///< 1 where some of the group solve it and some do not
    regret,        ///< 1 - mean of a problem that passes all gates
};
/// Throws error{invalid_argument} that lists the names.
[[nodiscard]] proposer_reward proposer_reward_named(std::string_view name);

struct proposer_row {
    std::int32_t code = code_ok;  ///< of the gates
    proposal_kind kind = proposal_kind::instance;
    group_sums group;
    std::int64_t before = 0;                     ///< entries in its cell, at the step's start and in the step
    std::int64_t equal = 1;                      ///< proposals of this step with its canonical form, itself among them
    std::int64_t greedy_gap = 0;                 ///< units
    std::int64_t reference_gap = role_unit;      ///< of its task: what counts as hard
    std::int64_t prompt = 0, prompt_target = 0;  ///< characters; those beyond the target cost reward,
    std::int64_t prompt_limit = 1;               ///< all of it for so many
    std::int64_t quality = -1;                   ///< mae: a judge's, in units; -1: 1 where all gates pass, else 0
    std::int64_t form = role_unit;               ///< mae: 1, 1/2 or 0, in units
    std::int64_t cluster = 0, batch = 1;         ///< r_zero: rows of its cluster and of the batch
};
struct proposer_result {
    std::int64_t reward = 0, signal = 0, novelty = 0, hardness = 0, price = 0;
    bool excluded = false;  ///< not_run: no reward
};
/// Throws error{invalid_argument} for impossible numbers.
[[nodiscard]] proposer_result reward_proposer(proposer_reward by, proposer_row const& row);

}  // namespace optgap
