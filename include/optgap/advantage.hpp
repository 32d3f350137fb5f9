#pragma once  // Stable.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "optgap/baseline.hpp"
#include "optgap/reward.hpp"

namespace optgap {

/// Forms of a group-relative advantage; r a reward, m and s1 the mean and sample standard deviation (ddof 1) of its
/// group. Sources and what each trainer does: docs/advantages.md. An estimator that a build adds
/// (kernels/reward/estimators, -DOPTGAP_EXTENSIONS) needs no enumerator: parse_advantage_spec gives it a number that
/// holds in that build.
enum class estimator : std::int32_t {
    grpo = 0,               ///< (r - m) / (s1 + epsilon)
    dr_grpo,                ///< r - m
    rloo,                   ///< (r - m) n / (n - 1)
    leave_one_out,          ///< mean and s1 of the others; divided by s1 + epsilon only where s1 > 0 (NeMo-RL)
    max_rl,                 ///< (r - m) / m, 0 where m <= 0
    pass_k,                 ///< the best row (r1 - r2) / (s1 + epsilon), others 0
    gpg,                    ///< alpha (r - m), alpha = rows / max(rows with a reward other than 0, 1)
    opo,                    ///< r - sum(length r) / sum(length)
    reinforce_pp,           ///< r, whitened over the batch
    reinforce_pp_baseline,  ///< r - m, whitened over the batch
    task_reinforce_pp,      ///< r, whitened over the rows of the same cohort
    decoupled,              ///< sum of weight * grpo(component)
    gdpo,                   ///< the same, whitened over the batch
    river,                  ///< ranks, exact winner (RiVER); no standardisation
    rank_uniform,           ///< ranks spread evenly over [-1, 1]
    instance_norm,          ///< scores standardised per instance
    raw,                    ///< mean score, standardised
    raw_binary,             ///< 1 for the best mean score, standardised
    rs_grpo,                ///< risk-sensitive, (e^{beta R} / mean e^{beta R} - 1) / beta
    rs_grpo_adaptive,       ///< e^{beta R} / mean of the others' - 1, beta by a KL of ln 2 to uniform
};

/// How a group of one row is treated.
enum class lone_row : std::int32_t {
    zero = 0,
    as_is,   ///< mean 0, standard deviation 1
    refuse,  ///< error{invalid_argument}
};

enum class rank_denominator : std::int32_t { group = 0, valid };            ///< `valid`: the group's below 4 valid
enum class rank_winner : std::int32_t { exact = 0, shared, lowest_index };  ///< who is best when several tie
enum class rank_post : std::int32_t { none = 0, center, standardise };

/// How `river`, which needs four rows, treats a group of which masking (NaN reward) leaves fewer. A group that has
/// fewer than four rows to begin with is a mistake in the configuration and always refused.
enum class small_group_rule : std::int32_t {
    zero = 0,      ///< advantages of 0, as for a group without a signal
    rank_uniform,  ///< the estimator of that name, which needs two rows
    refuse,        ///< error{invalid_argument}
};

/// RiVER's scores: `invalid` for an invalid candidate, `winner` for the best one, else from `high` down to `low` by
/// midrank, clip((D - 1 - rank) / (D - 3), 0, 1).
struct rank_spec {
    double winner = 1.0;
    double invalid = -1.0;
    double high = 0.5;
    double low = -0.5;
    rank_denominator denominator = rank_denominator::group;
    rank_winner tie = rank_winner::exact;
    rank_post post = rank_post::none;
};

/// Group-relative advantages. `exact`: float64 two-pass statistics, fixed-shape sums, exactly 0 for constant groups.
struct advantage_spec {
    estimator form = estimator::grpo;
    double epsilon = 1e-6;  ///< added to a standard deviation; whitening adds it to a variance
    double beta = 2.0;      ///< rs_grpo
    lone_row of_one = lone_row::zero;
    std::int32_t batch_scale = 0;         ///< grpo divides by the standard deviation of the whole batch (TRL's "batch")
    std::int32_t token_weighted = 0;      ///< whitening counts a row once per token (`length`), not once
    double weight[component_count] = {};  ///< decoupled, gdpo: of the scored row's components
    rank_spec rank = {};
    small_group_rule of_small = small_group_rule::zero;  ///< river
    double own[max_own_parameters] = {};                 ///< parameters of estimators without fields above
};

/// Reads the name of an estimator or of a trainer's constants, or a JSON object:
///
///   estimator    such a name
///   epsilon      0 to 1
///   of_one       "zero", "as_is" or "refuse"
///   the estimator's own parameters, which `optgap rules` and docs/advantages.md list; others are refused
///
/// Throws error{invalid_argument} that names the field.
advantage_spec parse_advantage_spec(std::string_view text);
/// The spec as a JSON object that parse_advantage_spec reads back to the same spec.
std::string to_json(advantage_spec const& spec);

/// The estimators of this build as a JSON array: objects of name, formula, source, scope, reads, device,
/// needs_validity, parameters (name, meaning, and low and high or choices) and presets.
std::string describe_estimators();

/// What an estimator reads, one entry per row; a span that the estimator does not read may be empty. NaN reward: the
/// row is masked, it takes no part in statistics and gets 0.
struct advantage_inputs {
    std::span<float const> rewards = {};
    std::span<std::int32_t const> group = {};   ///< any ids, any order
    std::span<std::int32_t const> cohort = {};  ///< task_reinforce_pp: any ids (task, role)
    std::span<std::int32_t const> length = {};  ///< tokens of the row, 0 or more: opo, token weighting
    /// decoupled, gdpo: columns[component] of rows entries each, NaN where the component is undefined.
    std::span<std::span<float const> const> columns = {};
    /// The ranking estimators: `columns_of_scores` scores a row, row-major, NaN for invalid. Empty: the reward is the
    /// score.
    std::span<double const> scores = {};
    std::int32_t columns_of_scores = 1;
    std::span<sense const> direction = {};  ///< per row, of its scores; empty: maximise
};

/// Number of groups of four or more rows of which masking leaves one to three: river treats them by `of_small`.
std::int64_t count_small_groups(std::span<float const> rewards, std::span<std::int32_t const> group);

/// Of an estimator of this build; each throws error{invalid_argument} for another number. Does it whiten?
bool whitens(estimator form);
/// Does the estimator weigh rows by their tokens?
bool reads_lengths(advantage_spec const& spec);
/// Does it read scores rather than rewards?
bool ranks_scores(estimator form);
/// Does it read scores, and do both executors compute it? The others need exponentials, which are the CPU's alone.
bool counts_ranks(estimator form);
/// Does it compare rows of a cohort?
bool reads_cohorts(estimator form);
/// Does it read that component of the rows' rewards? One with `weights` reads those that count.
bool reads_component(advantage_spec const& spec, reward_component which);

}  // namespace optgap
