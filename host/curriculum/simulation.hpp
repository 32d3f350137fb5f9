#pragma once
// Curricula on learners made of formulas, to compare rules without a model.

#include <string>
#include <vector>

#include "host/curriculum/learners.hpp"
#include "optgap/curriculum.hpp"

namespace optgap {

struct simulation_options {
    learner_kind learner = learner_kind::ability;
    bool uneven = false;          ///< make_uneven_learner's
    std::int32_t tasks = 8;       ///< one learner each; they start between -1 and 6
    std::int32_t problems = 128;  ///< a step, over all tasks
    std::int32_t rollouts = 16;   ///< per problem
    std::int32_t steps = 400;
    std::int32_t reach = 8;  ///< the ability whose step is reported
    double rate = 0.004;
    std::uint64_t seed = 1;
    std::int32_t seeds = 3;  ///< runs, from `seed` on
};

/// Means over the runs.
struct simulation_result {
    std::vector<double> ability;       ///< mean over the tasks that can learn, before the first step and after each
    double lowest = 0;                 ///< final ability of the worst run
    double highest = 0;                ///< of the best
    double high = -1;                  ///< mean of the windows' tops at the end; -1 where none moves
    double informative = 0;            ///< share of the groups that are neither all right nor all wrong
    double accuracy = 0;               ///< share of correct rollouts
    std::int32_t steps_to_reach = -1;  ///< until the mean ability is `reach`; -1: not within the steps
    double least = 0;                  ///< final ability of the worst task that can learn
    double teaching = 0;               ///< share of the groups of tasks that can learn
    double frozen = 0;                 ///< tasks at their limit or stuck at the end
};

/// The step that stands for easy, medium, hard and benchmark here.
inline constexpr std::int32_t simulated_level[] = {2, 6, 10, 14};
/// Prompts of step d here have 400 + 100 d characters.
constexpr std::int64_t simulated_prompt_chars(std::int32_t d) { return 400 + 100 * std::int64_t(d); }

/// A pure function of its arguments, up to the last digit of the machine's exp.
simulation_result simulate(curriculum_spec const& spec, simulation_options const& options);

struct named_result {
    std::string name;
    simulation_result result;
};
/// The abilities over the steps, one line per result, as an SVG file.
std::string draw_simulation(std::vector<named_result> const& results);

}  // namespace optgap
