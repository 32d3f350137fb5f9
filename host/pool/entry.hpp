#pragma once
// The content of a pool of co-evolution: problems, each once under all its labels, with their proofs; and the outcomes
// of rollouts on them, as integers, so that sums are the same in any order. docs/coevolution.md.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/store/byte_line.hpp"
#include "optgap/baseline.hpp"
#include "optgap/key.hpp"

namespace optgap::pool {

using store::byte_line;

/// How a problem came to be.
enum class origin : std::int32_t {
    seed = 0,  ///< no proposer's: a pool begins with it
    spec = 1,  ///< task, level and seed
    instance = 2,
    edit = 3,       ///< of a parent
    constrain = 4,  ///< of a parent
    question = 5,   ///< a proposer's, in free text (question.hpp)
};
inline constexpr char const* origin_names[] = {"seed", "spec", "instance", "edit", "constrain", "question"};

/// A problem with a proof: either of its optimum, with an answer that has it, or that there is no answer.
struct entry {
    std::string task;
    std::int32_t version = 1;
    instance_hash canonical;  ///< of the problem under all its labels
    bool coarse = false;      ///< another problem may share it (optgap/proposals/canonical.hpp)
    std::vector<std::int32_t> words;
    bool infeasible = false;
    std::int64_t objective = no_objective;  ///< the optimum
    std::int64_t floor = no_objective;
    std::int64_t greedy = no_objective;
    std::int64_t steps = 0;            ///< of the proof
    std::int64_t budget = 0;           ///< of the proof
    std::vector<std::int32_t> answer;  ///< block; empty where there is none
    origin kind = origin::seed;
    instance_hash parent;   ///< canonical hash; 0: none
    std::int64_t step = 0;  ///< the step at whose end it came in
};

/// XXH3-128 over the whole entry.
[[nodiscard]] instance_hash digest_of(entry const& one);

/// One problem of a task under all its labels. Tasks may share words, so the hash alone does not identify it.
struct problem_name {
    std::string task;
    std::int32_t version = 1;
    instance_hash canonical;
    friend bool operator==(problem_name const&, problem_name const&) = default;
};
/// The order in which a step's entries come in, which depends on their content, never on who brought them. Among
/// entries of one problem, the smallest digest is first.
[[nodiscard]] bool comes_before(entry const& a, instance_hash digest_a, entry const& b, instance_hash digest_b);
/// "tsp@1:c:HASH32"
[[nodiscard]] std::string key_of(entry const& one);

/// Qualities of rollouts are counted in units of 2^-20.
inline constexpr std::int64_t whole_quality = std::int64_t(1) << 20;
/// A quality in units, rounded to the nearest; throws field_error{"quality"} outside of 0 to 1.
[[nodiscard]] std::int64_t quality_units(double quality);

/// Sums over the rollouts of one entry.
struct outcome {
    std::int64_t entry = 0;
    std::int64_t attempts = 0;
    std::int64_t solved = 0;      ///< with a proven optimal answer
    std::int64_t quality = 0;     ///< sum of x, in units of 2^-20
    std::int64_t quality_sq = 0;  ///< sum of x², in units of 2^-40

    outcome& operator+=(outcome const& other) {
        attempts += other.attempts;
        solved += other.solved;
        quality += other.quality;
        quality_sq += other.quality_sq;
        return *this;
    }
    friend bool operator==(outcome const&, outcome const&) = default;
};
/// The outcome of one rollout.
[[nodiscard]] outcome outcome_of(std::int64_t entry, bool solved, std::int64_t quality);
inline constexpr std::int64_t max_attempts = std::int64_t(1) << 21;  ///< of one entry: sums of squares fit into 63 bits
/// A sentence on what is wrong with such sums; empty: nothing.
[[nodiscard]] std::string fault_of(outcome const& one);

/// The hash of 32 lower-case hex digits; throws field_error{field}.
[[nodiscard]] instance_hash hash_from(std::string_view digits, std::string const& field);

}  // namespace optgap::pool
