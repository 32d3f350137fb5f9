#pragma once  // Experimental.
// Proposals: texts in which a model poses a problem, read and judged without trust in their content
// (docs/coevolution.md).

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/engine.hpp"
#include "optgap/format.hpp"
#include "optgap/proposals/canonical.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

class engine;

/// Codes of proposals, behind those of formats that all rows share. In the order of the gates: the first that fails
/// gives the code. The numbers are part of the format: append, never reorder.
enum proposal_code : std::int32_t {
    code_not_json = 10'000,  ///< not one JSON object, or nested more than max_proposal_depth levels deep
    code_unknown_field,  ///< a field that its kind does not have, or one that is repeated, missing or of another type
    code_unknown_task,
    code_too_long,      ///< more bytes than the limit
    code_too_large,     ///< words, prompt, answers or a number's digits beyond the limit; nothing was allocated for it
    code_bad_instance,  ///< a rule of the task's entry check, or an impossible parent or edit
    code_held_out,      ///< the same problem as one that is kept from training
    code_duplicate,     ///< the same problem as an earlier one
    code_near_duplicate,
    code_unproven,          ///< its budget ended before its optimum was known
    code_no_answer_exists,  ///< proven; beyond the share that is let through
    code_trivial,           ///< the greedy policy solves it
    code_proposal_not_run,  ///< the batch's steps were used up before it; to be tried again
    code_over_quota,        ///< past all gates, but its task's quota of the step was used up
    proposal_code_end,
};

[[nodiscard]] constexpr bool is_proposal_code(std::int32_t code) {
    return code >= code_not_json && code < proposal_code_end;
}
/// "not_json"; empty for any other number.
[[nodiscard]] constexpr std::string_view proposal_code_name(std::int32_t code) {
    constexpr std::string_view names[] = {
        "not_json",  "unknown_field",  "unknown_task", "too_long",         "too_large", "bad_instance", "held_out",
        "duplicate", "near_duplicate", "unproven",     "no_answer_exists", "trivial",   "not_run",      "over_quota"};
    static_assert(std::size(names) == proposal_code_end - code_not_json);
    return is_proposal_code(code) ? names[code - code_not_json] : std::string_view();
}

inline constexpr std::int32_t max_proposal_depth = 8;
inline constexpr std::int32_t max_proposal_digits = 10;  ///< of a number; `seed` alone has up to 20
inline constexpr std::int32_t max_proposal_edits = 64;
inline constexpr std::int32_t proposal_greedies = 16;  ///< noisy ones that must not all be equal

enum class proposal_kind : std::int32_t { none = 0, spec, instance, edit, constrain };

[[nodiscard]] constexpr std::string_view name_of(proposal_kind kind) {
    constexpr std::string_view names[] = {"none", "spec", "instance", "edit", "constrain"};
    return names[std::int32_t(kind)];
}

/// Limits of one task. None is negative.
struct proposal_limits {
    std::int64_t bytes = 16'384;   ///< of the text; the same for all tasks
    std::int64_t words = 65'536;   ///< of the instance's block
    std::int64_t prompt = 16'384;  ///< characters, in style 0 and format forge
    std::int64_t answer = 16'384;  ///< words of an answer's block
};

struct proposal_options {
    std::vector<proposal_limits> limits;  ///< one per task; empty: the defaults for all
    std::int64_t budget = -1;             ///< steps a row; -1: each task's default
    std::int64_t steps = -1;              ///< steps of all rows; -1: any number
    std::int32_t infeasible_permille = 50;
    std::int32_t near_entries = 0;  ///< so many near problems make another one a near_duplicate; 0: the gate is open
    std::int64_t near_distance = 0;
    std::int32_t quota = 0;  ///< proposals of one task that pass in a step; 0: any number
    /// Words of a parent that is no key of a generated instance and none of an earlier row; empty: it is not known.
    std::function<std::vector<std::int32_t>(std::string_view parent, std::int32_t& task)> parent_of;
    /// The result of engine::solve for these instances, from a cache; empty: the engine is asked.
    std::function<solved_batch(instance_view instances, std::int64_t budget)> solve;
};

/// {"bytes": 16384, "words": …, "prompt": …, "answer": …, "tasks": {"tsp": {"words": 2000}}, "steps": …,
/// "infeasible": permille, "near": [entries, distance], "quota": …}; throws error{invalid_argument} that names the
/// field.
proposal_options parse_proposal_options(engine const& by, std::string_view json);

/// Format whose tags are <question> and </question>, with or without reasoning before.
format_spec const& question_format();

struct proposal_text {
    std::string_view text;
    std::int32_t format_code = code_ok;  ///< of the completion that held it; `text` is read only where it is code_ok
    std::int64_t step = 0;               ///< of the run: quotas are counted by it
};

struct checked_proposal {
    std::int32_t code = code_ok;
    std::int64_t where = -1;  ///< byte of the text at which it stops being what it must be; -1: no place
    std::string field;        ///< that breaks `rule`, with "" for none
    std::string rule;
    proposal_kind kind = proposal_kind::none;
    std::int32_t task = -1;
    std::vector<std::int32_t> words;  ///< of the instance; empty where a gate before held_out failed
    std::string key;                  ///< of the instance
    std::string canonical;            ///< its canonical key; empty like `words`
    bool coarse = false;
    std::string duplicate_of;          ///< for a duplicate, the key of the first one
    baseline base;                     ///< status unknown where it was not solved
    std::vector<std::int32_t> answer;  ///< block with the baseline's objective; empty where there is none
    std::int32_t levels = 0;           ///< distinct objectives of noisy greedy answers, of those that were solved
    /// Kind constrain: what value v of an answer was called in the parent; empty: the same.
    std::vector<std::int32_t> lift;
    std::vector<std::int32_t> taken;  ///< of the parent, in every answer beside

    [[nodiscard]] bool sound() const { return code == code_ok; }
    friend bool operator==(checked_proposal const&, checked_proposal const&) = default;
};

/// The reward of a proposal by the gates alone: -1 in a broken format; -1/2 for the first gate and less for each later
/// one, -1/8 for the last; 1 past all of them, 0 where its task's quota is used up. NaN for one that was not run.
[[nodiscard]] float gate_reward(std::int32_t code);

/// Judges proposals in their order. Rows may come in batches of any size: the result of one depends on the rows before
/// it, not on where a batch ends. Calls of several threads take turns.
class proposal_checker {
public:
    proposal_checker(engine const& by, proposal_options options);
    ~proposal_checker();
    proposal_checker(proposal_checker&&) noexcept;

    /// Adds the canonical key of a problem that no proposal may pose. Throws field_error{"canonical"}.
    void hold_out(std::string_view canonical);
    /// Adds the canonical key of a known problem; proposals of it are duplicates of `key`.
    void know(std::string_view canonical, std::string key);

    /// Never throws for the content of a text.
    std::vector<checked_proposal> check(std::span<proposal_text const> rows);
    /// Applies the gates up to held_out to any text. Takes time linear in its length, besides the cost of a parent and
    /// a generated instance, which the limits bound.
    [[nodiscard]] checked_proposal read(std::string_view text) const;

    /// The state that later rows depend on, as JSON: problems that were read, counts, steps used up. Equal states are
    /// equal bytes. Options and held-out problems are not in it.
    [[nodiscard]] std::string save() const;
    /// Continues from that text; for any other it throws field_error{"state"} and changes nothing.
    void restore(std::string_view text);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace optgap
