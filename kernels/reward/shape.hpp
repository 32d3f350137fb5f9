#pragma once
// What a reward shape is: a struct in a file of its own, kernels/reward/shapes/NAME.hpp or shapes/NAME.hpp of a folder
// given by -DOPTGAP_EXTENSIONS. CMake finds the file; nothing else names it. The whole of one, with a parameter of its
// own:
//
//     struct smooth {
//         static constexpr parameter parameters[] = {
//             own_number<reward_spec>("knee", 0, 0.0, 1.0, "the quality from which the last half is earned")};
//         static constexpr shape_info info{.name = "smooth",
//                                          .formula = "quality / 2, and 1/2 more from the knee on",
//                                          .words = "half of the quality, and 1/2 from {knee} on",
//                                          .parameters = parameters,
//                                          .start = {.own = {0.9}}};
//
//         OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) {
//             return in.quality / 2 + (in.quality >= spec.own[0] ? 0.5 : 0.0);
//         }
//     };
//
// The function runs on both executors with the same bytes. Further members, each optional:
//
//     limits(spec)              the least and greatest value, where it is not within 0 … 1
//     total(component, spec)    the whole reward, from the row's components (reward_component); `value` and the spec's
//                               constants then have no part, and `limits` are the total's
//     info.hands_through        a reward that an environment gives is handed through
//     fault(spec)               what is wrong with parameters that are right one by one; nullptr: nothing
//     id                        the enumerator, of a shape that has one

#include <cstdint>
#include <span>

#include "kernels/core/hd.hpp"
#include "kernels/reward/parameter.hpp"
#include "optgap/baseline.hpp"
#include "optgap/finish.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

struct shape_info {
    char const* name;
    char const* formula;     ///< what a feasible answer earns
    char const* words = "";  ///< for `explain`: {PARAMETER} stands for its value, {quality} for the answer's
    char const* source = "";
    std::span<parameter const> parameters = {};  ///< beside the constants that every shape has
    reward_spec start = {};                      ///< the defaults
    bool hands_through =
        false;  ///< a reward that the row's environment gives stands in place of `value` and `infeasible`
};

/// A feasible answer.
struct shape_inputs {
    double quality;  ///< in [0, 1], not rounded to float
    bool optimal;    ///< proven
    baseline const& base;
    sense direction;
};

/// How a reward came about, for `explain` as for the row.
struct reward_parts {
    double quality = 0;      ///< not rounded to float
    double format = 0;       ///< R_format
    double feasibility = 0;  ///< R_feasibility with the bonus
    double length = 0;       ///< the penalty
    double sum = 0;          ///< of the three, or the shape's total and the penalty
    double total = 0;        ///< after the affine range, the truncation policy and the grid
    bool excluded = false;
};

/// What a feasible answer of objective 0 or less is where the baseline is positive and the objective maximised.
enum class zero_answers : std::int32_t {
    refused,  ///< no answer, code_empty: a policy that always says the same earns nothing
    valid,    ///< one among others, which are ranked: matrices of programs
};

/// One rollout, as a reward reads it.
struct reward_case {
    verdict const& found;
    std::int32_t format_code;  ///< the scanner's
    finish how;
    std::int32_t length;  ///< tokens; counts where the spec reads_lengths
    baseline const& base;
    sense direction;
    zero_answers zero = zero_answers::refused;
    double const* given = nullptr;  ///< the environment's own reward, for a shape that hands it through; nullptr: none
};

/// What the reward pass reads of each rollout.
struct reward_inputs {
    std::int32_t const* task;   ///< per instance
    baseline const* baselines;  ///< per instance
    std::int64_t instances;
    std::int32_t const* instance_of;  ///< per rollout
    verdict const* verdicts;          ///< per rollout
    std::int32_t const* format_code;  ///< per rollout
    finish const* finished;           ///< per rollout; nullptr: unknown
    std::int32_t const* length;       ///< tokens, per rollout; nullptr: nothing reads them
    std::int64_t rollouts;
    zero_answers zero = zero_answers::refused;
};

/// A shape of this build.
struct shape_entry {
    shape_info const* info;
    reward_shape shape;
    bool whole;  ///< it has a `total`
    /// Rollouts [begin, end); `direction` is per task.
    void (*rows)(reward_inputs const& in, sense const* direction, reward_spec const& spec, reward_row* out,
                 std::int64_t begin, std::int64_t end);
    reward_parts (*row)(reward_row& out, reward_case const& of, reward_spec const& spec);
    reward_limits (*limits)(reward_spec const& spec);
    char const* (*fault)(reward_spec const& spec) = nullptr;
    bool by_process = false;  ///< `rows` asks another process, which takes many rows as it takes one
};

/// All of them: those with an enumerator in its order, then the others by name. Written by CMake.
std::span<shape_entry const> listed_shapes();

/// Throws error{invalid_argument} for a number of none.
shape_entry const& shape_of(reward_shape shape);

/// Does the spec's shape read that anchor of the baseline?
bool reads_anchor(reward_spec const& spec, anchor which);

}  // namespace optgap
