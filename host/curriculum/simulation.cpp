#include "host/curriculum/simulation.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "kernels/core/rng.hpp"

namespace optgap {
namespace {

constexpr std::uint32_t rollout_domain = 0x726f6c6c;  ///< of the random words: "roll"
constexpr std::int32_t listed_steps = 1000;           ///< of the ladder, for the prompt limit

std::int32_t ladder_step(difficulty level) { return level.on_ladder() ? level.code : simulated_level[level.level()]; }

std::vector<curriculum_task> simulated_tasks(std::int32_t count) {
    std::vector<prompt_size> prompts;
    for (std::int32_t code = difficulty::easy().code; code < listed_steps; ++code) {
        prompts.push_back({{code}, simulated_prompt_chars(ladder_step({code}))});
    }
    std::vector<curriculum_task> tasks;
    for (std::int32_t t = 0; t < count; ++t) {
        tasks.push_back({.name = fmt::format("task{}", t), .prompts = prompts});
    }
    return tasks;
}

double mean(std::vector<double> const& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

}  // namespace

simulation_result simulate(curriculum_spec const& spec, simulation_options const& options) {
    curriculum plan(spec, simulated_tasks(options.tasks), options.seed);
    std::vector<double> ability;
    for (std::int32_t t = 0; t < options.tasks; ++t) {
        ability.push_back(options.tasks == 1 ? 0.0 : -1.0 + 7.0 * t / (options.tasks - 1));
    }
    simulation_result out;
    out.ability.push_back(mean(ability));
    std::int64_t informative = 0;
    std::int64_t correct_rollouts = 0;
    std::vector<rollout_outcome> group(std::size_t(options.rollouts));
    for (std::int32_t step = 0; step < options.steps; ++step) {
        std::vector<double> const start = ability;
        for (std::int32_t i = 0; i < options.problems; ++i) {
            curriculum_draw const next = plan.draw(i);
            double const chance = 1 / (1 + std::exp(double(ladder_step(next.level)) - start[std::size_t(next.task)]));
            draw_stream chances({next.seed, rollout_domain}, 0);
            std::int32_t correct = 0;
            for (rollout_outcome& outcome : group) {
                bool const right = double(chances.next()) < chance * 4294967296.0;
                outcome = right ? rollout_outcome::correct : rollout_outcome::wrong;
                correct += right ? 1 : 0;
            }
            double const share = double(correct) / double(options.rollouts);
            ability[std::size_t(next.task)] += options.rate * 4 * share * (1 - share);
            informative += correct > 0 && correct < options.rollouts ? 1 : 0;
            correct_rollouts += correct;
            plan.observe(next.task, next.level, group);
        }
        plan.merge(plan.delta(0));
        plan.step();
        out.ability.push_back(mean(ability));
        if (out.steps_to_reach < 0 && out.ability.back() >= options.reach) {
            out.steps_to_reach = step + 1;
        }
    }
    double const groups = double(options.problems) * options.steps;
    out.informative = double(informative) / groups;
    out.accuracy = double(correct_rollouts) / (groups * options.rollouts);
    if (!plan.windows().empty()) {
        out.high = 0;
        for (curriculum_window const& window : plan.windows()) {
            out.high += double(window.high) / options.tasks;
            out.frozen += window.status == curriculum_status::learning ? 0 : 1;
        }
    }
    return out;
}

}  // namespace optgap
