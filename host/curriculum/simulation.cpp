#include "host/curriculum/simulation.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/core/rng.hpp"

namespace optgap {
namespace {

constexpr std::uint32_t rollout_domain = 0x726f6c6c;  ///< of the random words: "roll"
constexpr std::int32_t listed_steps = 1000;           ///< of the difficulty scale, for the prompt limit
constexpr std::int64_t no_limit = 1'000'000'000;      ///< more characters than a simulated prompt has

std::int32_t scale_step(difficulty level) { return level.on_scale() ? level.code : simulated_level[level.level()]; }

std::vector<curriculum_task> simulated_tasks(simulation_options const& options) {
    std::vector<prompt_size> prompts;
    for (std::int32_t code = difficulty::easy().code; code < listed_steps; ++code) {
        prompts.push_back({{code}, simulated_prompt_chars(scale_step({code}))});
    }
    std::vector<curriculum_task> tasks;
    for (std::int32_t t = 0; t < options.tasks; ++t) {
        tasks.push_back({.name = fmt::format("task{}", t), .prompts = prompts});
        if (options.uneven && t % uneven_kinds == 0) {
            std::erase_if(tasks.back().prompts, [](prompt_size size) { return size.level.code > learnt_last_step; });
        }
    }
    return tasks;
}

std::unique_ptr<learner> learner_of(simulation_options const& options, std::int32_t task) {
    return options.uneven ? make_uneven_learner(options.learner, task, options.rate)
                          : make_learner(options.learner, task, options.tasks, options.rate);
}

/// One run, added to the sums in `out`.
void add_run(curriculum_spec spec, simulation_options const& options, std::uint64_t seed, simulation_result& out) {
    // A limit without effect, so that the tables of prompts give the last step of each scale.
    spec.max_prompt_chars = options.uneven && spec.max_prompt_chars == 0 ? no_limit : spec.max_prompt_chars;
    curriculum plan(spec, simulated_tasks(options), seed);
    std::vector<std::unique_ptr<learner>> learners;
    for (std::int32_t t = 0; t < options.tasks; ++t) {
        learners.push_back(learner_of(options, t));
    }
    auto const mean_ability = [&] {
        double sum = 0, count = 0;
        for (std::unique_ptr<learner> const& one : learners) {
            sum += one->learns() ? one->ability() : 0;
            count += one->learns() ? 1 : 0;
        }
        return count == 0 ? 0 : sum / count;
    };
    out.ability[0] += mean_ability();
    std::vector<rollout_outcome> group(std::size_t(options.rollouts));
    for (std::int32_t step = 0; step < options.steps; ++step) {
        for (std::int32_t i = 0; i < options.problems; ++i) {
            curriculum_draw const next = plan.draw(i);
            learner& learns = *learners[std::size_t(next.task)];
            double const chance = learns.chance(scale_step(next.level));
            draw_stream chances({next.seed, rollout_domain}, 0);
            std::int32_t correct = 0;
            for (rollout_outcome& outcome : group) {
                bool const right = double(chances.next()) < chance * 4294967296.0;
                outcome = right ? rollout_outcome::correct : rollout_outcome::wrong;
                correct += right ? 1 : 0;
            }
            learns.taught(scale_step(next.level), double(correct) / double(options.rollouts));
            out.informative += correct > 0 && correct < options.rollouts ? 1 : 0;
            out.accuracy += correct;
            out.teaching += learns.learns() ? 1 : 0;
            plan.observe(next.task, next.level, group);
        }
        plan.merge(plan.delta(0));
        plan.step();
        for (std::unique_ptr<learner> const& one : learners) {
            one->end_step();
        }
        out.ability[std::size_t(step) + 1] += mean_ability();
    }
    out.lowest = std::min(out.lowest, mean_ability());
    out.highest = std::max(out.highest, mean_ability());
    double least = std::numeric_limits<double>::infinity();
    for (std::unique_ptr<learner> const& one : learners) {
        least = one->learns() ? std::min(least, one->ability()) : least;
    }
    out.least += least;
    for (curriculum_window const& window : plan.windows()) {
        out.high += double(window.high) / options.tasks;
        out.frozen += window.status == curriculum_status::learning ? 0 : 1;
    }
}

}  // namespace

simulation_result simulate(curriculum_spec const& spec, simulation_options const& options) {
    simulation_result out;
    out.ability.resize(std::size_t(options.steps) + 1);
    out.lowest = std::numeric_limits<double>::infinity();
    out.highest = -out.lowest;
    out.high = 0;
    for (std::int32_t run = 0; run < options.seeds; ++run) {
        add_run(spec, options, options.seed + std::uint64_t(run), out);
    }
    double const runs = options.seeds;
    double const groups = runs * double(options.problems) * options.steps;
    for (double& ability : out.ability) {
        ability /= runs;
    }
    out.informative /= groups;
    out.teaching /= groups;
    out.least /= runs;
    out.accuracy /= groups * options.rollouts;
    bool const moves = spec.policy == curriculum_policy::window || spec.policy == curriculum_policy::adaptive;
    out.high = moves ? out.high / runs : -1;
    out.frozen /= runs;
    auto const reached = std::find_if(out.ability.begin() + 1, out.ability.end(),
                                      [&](double ability) { return ability >= options.reach; });
    out.steps_to_reach = reached == out.ability.end() ? -1 : std::int32_t(reached - out.ability.begin());
    return out;
}

}  // namespace optgap
