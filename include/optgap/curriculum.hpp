#pragma once  // Experimental.
// Chooses the task and the level of the next instance. Ranks that draw and observe apart agree after every step: a
// step's outcomes are summed counters, and the next step's levels are a pure function of them. docs/curriculum.md has
// the rules.
//
//   curriculum plan(parse_curriculum_spec("adaptive"), {{.name = "tsp"}}, 7);
//   curriculum_draw const next = plan.draw(i);               // any i, on any rank: task, level, seed
//   plan.observe(next.task, next.level, outcomes);           // one group of rollouts
//   for (each rank's delta) plan.merge(delta);               // plan.delta(rank), gathered
//   plan.step();                                             // the same state on every rank

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/difficulty.hpp"
#include "optgap/reward.hpp"

namespace optgap {

enum class curriculum_policy : std::int32_t {
    fixed = 0,  ///< one level, or one range of steps, for the whole run; its name in text is "static"
    window,     ///< RLVE: a window of steps whose top is promoted when it is mastered
    stages,     ///< FORGE: easy, medium, hard
    adaptive,   ///< a window moved up and down by tests on all of its steps
    beta,       ///< after MoPPS: the step of a range whose success, drawn from a Beta posterior, is nearest a target
    replay,     ///< after prioritised level replay: the steps of a range by the rank of what they taught last
};
enum class window_rule : std::int32_t {
    paper = 0,    ///< every finished rollout counts; tested at 8 times the rollouts per problem
    public_code,  ///< only groups without an aborted rollout count; tested at 128
};
/// How a draw picks a step of an adaptive window.
enum class step_choice : std::int32_t {
    uniform = 0,
    nearest,  ///< the one whose success, drawn from its Beta posterior, is nearest a half
};
enum class stage_order : std::int32_t { in_turn = 0, mixed };      ///< mixed: every stage in every step, in proportion
enum class cut_off_counts : std::int32_t { apart = 0, as_wrong };  ///< what a truncated rollout is to the tests

/// The rule that moves a task's share of the draws.
enum class mixing_rule : std::int32_t {
    uniform = 0,  ///< nothing: shares follow the weights
    informative,  ///< the share of its groups whose rollouts disagreed
    progress,     ///< how far its success moved at levels that it was given before, too
};

/// The steps from `low` to `high` of a difficulty scale; empty where `high` is below `low`.
struct scale_range {
    std::int32_t low = 0;
    std::int32_t high = -1;

    [[nodiscard]] constexpr bool empty() const { return high < low; }
    friend constexpr bool operator==(scale_range, scale_range) = default;
};

/// Tasks are named by words: a name or a pattern of names in which `*` is any text, or one of a task's labels
/// ("family:cells", "class:satisfy", "cells/*").
struct mixing_floor {
    std::string tasks;
    std::int32_t permille = 0;  ///< of its share by weight that a task keeps, 1 to 900
    friend bool operator==(mixing_floor const&, mixing_floor const&) = default;
};
struct mixing_group {
    std::vector<std::string> tasks;
    std::int32_t share = 0;  ///< permille of all draws
    friend bool operator==(mixing_group const&, mixing_group const&) = default;
};

/// How tasks share the draws. Shares depend on integers that ranks agree on, so shares agree, too.
struct curriculum_mixing {
    mixing_rule by = mixing_rule::uniform;
    std::int32_t memory = 64;  ///< informative: groups after which counts are halved; progress: groups of a span
    std::vector<mixing_floor> floors = {{"all", 200}};  ///< the first that names a task applies to it; without one, 200
    /// Each task is in one at most; those in none share the rest of 1000.
    std::vector<mixing_group> groups = {};

    [[nodiscard]] bool moves() const { return by != mixing_rule::uniform; }
    [[nodiscard]] bool on() const { return moves() || !groups.empty(); }
    friend bool operator==(curriculum_mixing const&, curriculum_mixing const&) = default;
};

struct curriculum_spec {
    curriculum_policy policy = curriculum_policy::adaptive;
    difficulty level = difficulty::medium();    ///< fixed, where there is no range
    scale_range range;                          ///< fixed, beta, replay; empty: `level`, or the policy's own range
    window_rule rule = window_rule::paper;      ///< window
    std::int32_t rollouts = 16;                 ///< per problem
    std::int32_t samples = 0;                   ///< rollouts before a test; 0: the policy's own number
    double accuracy = 0.9;                      ///< from which a step counts as mastered
    std::int32_t width = 4;                     ///< steps in the window
    double up = 0.5;                            ///< adaptive: the window's accuracy above which it moves up
    double down = 0.1;                          ///< adaptive: its lowest step's accuracy below which it moves down
    double z = 2.576;                           ///< adaptive: width of the confidence interval, in standard errors
    std::int32_t memory = 2048;                 ///< adaptive: rollouts without a decision after which counts are halved
    step_choice choice = step_choice::nearest;  ///< adaptive
    double target = 0.5;                        ///< beta: the success looked for
    double decay = 0.5;                         ///< beta: share of a step's counts that is kept at the next outcomes
    double stale = 0.1;                         ///< replay: share of the draws by how long ago a step was drawn
    std::int32_t rank_power = 10;               ///< replay: the weight of rank r is 1 / r^rank_power
    std::int32_t mixture[3] = {5, 4, 1};        ///< stages: shares of easy, medium, hard
    stage_order order = stage_order::in_turn;
    std::int32_t pass_steps = 100;  ///< stages: steps of one pass over the three
    std::int32_t passes = 1;        ///< stages: how often the pass is replayed, with fresh seeds
    double threshold = 1.0;         ///< quality from which a feasible answer is correct
    cut_off_counts truncated = cut_off_counts::apart;
    std::int64_t max_prompt_chars = 0;  ///< levels with longer prompts are never given; 0: no limit
    curriculum_mixing mixing = {};
    std::vector<std::string> held_out;  ///< suites whose tasks are refused (optgap suite); in text also one name
};

/// Reads "static", "window", "window_public_code", "stages", "mixed", "adaptive", "beta", "replay", or a JSON object
/// whose field `policy` is one of them and whose others are named as above. Throws error{invalid_argument} that names
/// the field.
curriculum_spec parse_curriculum_spec(std::string_view text);
/// The spec as a JSON object that parse_curriculum_spec reads back to the same spec.
std::string to_json(curriculum_spec const& spec);
/// Rollouts before a test: `samples`, or the policy's own number.
std::int32_t samples_needed(curriculum_spec const& spec);
/// The steps of a policy with a range: `range`, or the policy's own; empty for the others.
scale_range steps_of(curriculum_spec const& spec);

struct prompt_size {
    difficulty level;
    std::int64_t chars = 0;  ///< of its longest prompt
};

struct curriculum_task {
    std::string name;
    std::int32_t weight = 1;  ///< share of the draws, 1 to 10^6
    /// Read only with a prompt limit; a level that is not listed is then not given.
    std::vector<prompt_size> prompts = {};
    std::vector<std::string> labels = {};  ///< the words of mixing that name it beside its name: task_labels
};

enum class rollout_outcome : std::uint8_t { wrong = 0, correct, truncated, aborted };

/// A finished rollout is correct where it is `feasible` and `quality` reaches the threshold. One that was cut off is
/// truncated or aborted, whatever its answer.
rollout_outcome outcome_of(curriculum_spec const& spec, bool feasible, double quality, finish how);

/// Sums over rollouts. Truncated and aborted ones are not attempts.
struct rollout_counts {
    std::int64_t attempts = 0;
    std::int64_t correct = 0;
    std::int64_t truncated = 0;
    std::int64_t aborted = 0;

    rollout_counts& operator+=(rollout_counts const& other);
    friend bool operator==(rollout_counts const&, rollout_counts const&) = default;
};

/// Sums over groups of two attempts and more; counted where mixing moves.
struct informative_counts {
    std::int64_t groups = 0;
    std::int64_t informative = 0;  ///< some of its attempts were correct and some were not

    informative_counts& operator+=(informative_counts const& other);
    friend bool operator==(informative_counts const&, informative_counts const&) = default;
};

struct curriculum_cell {
    std::int32_t task = 0;
    difficulty level;
    rollout_counts counts;
    informative_counts of_groups = {};
    friend bool operator==(curriculum_cell const&, curriculum_cell const&) = default;
};

/// The outcomes that one rank saw in one step. Cells ascend by task, then level.
struct curriculum_delta {
    std::int64_t step = 0;
    std::int32_t rank = 0;
    std::vector<curriculum_cell> cells;
    friend bool operator==(curriculum_delta const&, curriculum_delta const&) = default;
};

std::string to_json(curriculum_delta const& delta);
/// Throws error{invalid_argument} that names the place.
curriculum_delta parse_curriculum_delta(std::string_view text);

enum class curriculum_status : std::int32_t {
    learning = 0,
    at_limit,  ///< frozen: its highest step allowed is mastered
    stuck,     ///< frozen: even the lowest step fails
};

/// One task's window, for the policies that choose steps by their outcomes: adaptive and window move it; for beta and
/// replay it is their range and stays.
struct curriculum_window {
    std::int32_t low = 0;
    std::int32_t high = 0;
    std::int32_t top = max_scale_step;  ///< no prompt of d0 … d`top` is too long
    curriculum_status status = curriculum_status::learning;
    /// Per step from low to high, since the last decision; beta: discounted, replay: of the step's last outcomes.
    std::vector<rollout_counts> since;
    /// adaptive: of the steps just below `low`, at most 64: the counts with which they left the window, and those
    /// since. Large counts are halved at every decision.
    std::vector<rollout_counts> below = {};
    std::vector<std::int64_t> seen = {};  ///< replay: when each step last had outcomes; -1: never
    friend bool operator==(curriculum_window const&, curriculum_window const&) = default;
};

/// The counters that move one task's share.
struct curriculum_mix {
    informative_counts recent;  ///< informative: halved at `memory`; progress: of the span that runs
    std::int32_t moved = -1;    ///< progress: by how much over the last two spans, in units of 2^-16; -1: not known
    /// progress: per level, ascending: attempts (truncated ones where they count) and correct ones of the span that
    /// runs and of the one before.
    std::vector<curriculum_cell> span = {};
    std::vector<curriculum_cell> span_before = {};
    friend bool operator==(curriculum_mix const&, curriculum_mix const&) = default;
};

struct curriculum_draw {
    std::int32_t task = 0;
    difficulty level;
    std::uint64_t seed = 0;
    friend bool operator==(curriculum_draw const&, curriculum_draw const&) = default;
};

/// One per process. Not thread-safe.
class curriculum {
public:
    /// `seed` is the run's. Throws error{invalid_argument} when a task has no level that fits the prompt limit, and for
    /// a word of the mixing that names no task.
    curriculum(curriculum_spec const& spec, std::vector<curriculum_task> tasks, std::uint64_t seed);

    /// Problem `index` (below 2^32) of this step. A pure function of (seed, step, index) and the merged state.
    [[nodiscard]] curriculum_draw draw(std::int64_t index) const;

    /// Counts one group of rollouts of one problem, for the delta of the step in which it is called. The rule
    /// public_code needs the whole group in one call where rollouts may be aborted; a mixing that moves always needs
    /// it.
    void observe(std::int32_t task, difficulty level, std::span<rollout_outcome const> group);

    /// The outcomes that this process observed up to the first call in this step. Later calls return the same; later
    /// outcomes go into the next step's delta. Does not merge it.
    curriculum_delta const& delta(std::int32_t rank);
    /// Adds a rank's delta of this step, in any order. Returns false, and adds nothing, when this rank's is there
    /// already. Throws error{invalid_argument} for another step's delta or one that breaks a rule.
    bool merge(curriculum_delta const& delta);
    /// Ends the step: decides from the merged outcomes, and clears the list of ranks.
    void step();

    /// The state that ranks share, as JSON; equal states are equal bytes. Outcomes that were not merged are not in it.
    [[nodiscard]] std::string state_dict() const;
    /// Continues from such a text; drops unmerged outcomes. Throws error{invalid_argument} that names the place, also
    /// where spec, seed or tasks are not this curriculum's, and then changes nothing.
    void load_state_dict(std::string_view text);

    [[nodiscard]] std::int64_t current_step() const { return step_; }
    [[nodiscard]] curriculum_spec const& spec() const { return spec_; }
    [[nodiscard]] std::span<curriculum_task const> tasks() const { return tasks_; }
    /// Per task; empty for the policies `fixed` and `stages`.
    [[nodiscard]] std::span<curriculum_window const> windows() const { return windows_; }
    /// Per task; empty where mixing does not move.
    [[nodiscard]] std::span<curriculum_mix const> mixes() const { return mixes_; }
    /// The weights of the tasks' draws in this step.
    [[nodiscard]] std::vector<std::int64_t> shares() const;
    /// Sums over all ended steps, ascending by task, then level.
    [[nodiscard]] std::span<curriculum_cell const> totals() const { return totals_; }
    /// Whether the policy `stages` has ended all of its passes. Draws then stay at its last stage.
    [[nodiscard]] bool finished() const;

private:
    void mix();
    [[nodiscard]] difficulty level_for(std::int32_t task, std::uint32_t word, std::uint64_t seed) const;

    curriculum_spec spec_;
    std::vector<curriculum_task> tasks_;
    std::vector<std::int32_t> floors_;         ///< per task, in permille; where mixing moves
    std::vector<std::int32_t> groups_;         ///< per task: its group's number; where there are groups
    std::vector<std::int64_t> weight_before_;  ///< running sums of the shares
    /// Three levels per task, within the prompt limit. stages: its stages; fixed: its level, or first and last of its
    /// range.
    std::vector<difficulty> given_;
    std::uint64_t seed_;

    std::int64_t step_ = 0;
    std::vector<curriculum_window> windows_;
    std::vector<curriculum_mix> mixes_;
    std::vector<curriculum_cell> totals_;
    std::vector<std::int32_t> merged_;      ///< ranks of this step, ascending
    std::vector<curriculum_cell> arrived_;  ///< their sum

    std::vector<curriculum_cell> seen_;  ///< this process's, not yet in a delta
    std::size_t compact_at_ = 4096;
    curriculum_delta sent_;  ///< of this step, when `is_sent_`
    bool is_sent_ = false;
};

}  // namespace optgap
