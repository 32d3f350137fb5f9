// curriculum: the cost of one training step for the curriculum, on every cell at once.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"
#include "optgap/curriculum.hpp"

namespace optgap::bench {

measurement bench_curriculum(setting const& at) {
    constexpr std::int32_t levels = 100;
    std::int64_t const tasks = at.batch > 0 ? std::max<std::int64_t>(at.batch / levels, 1) : 100;
    std::int64_t const cells = tasks * levels;
    std::vector<curriculum_task> names;
    for (std::int64_t t = 0; t < tasks; ++t) {
        names.push_back({.name = "task" + std::to_string(t)});
    }
    curriculum plan(parse_curriculum_spec("adaptive"), names, 1);
    std::vector<rollout_outcome> const group(group_size, rollout_outcome::wrong);
    auto const step = [&] {
        for (std::int64_t i = 0; i < cells; ++i) {
            std::int64_t const cell = i * 7919 % cells;  // out of order, as groups end; 7919 is prime
            plan.observe(std::int32_t(cell / levels), difficulty::scale(std::int32_t(cell % levels)), group);
        }
        plan.merge(plan.delta(0));
        plan.step();
    };
    step();
    expect(std::int64_t(plan.totals().size()) == cells, "not every cell was counted");
    measurement result = start_of(at, "curriculum", "cells", cells);
    result.task = "mixed";
    result.seconds = sample(at.seconds, step);
    result.needs = {{"copy", double(cells) * (double(group_size) * sizeof(rollout_outcome) + sizeof(curriculum_cell))}};
    return result;
}

}  // namespace optgap::bench
