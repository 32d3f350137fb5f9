#include "host/reward/row_advantages.hpp"

#include "host/reward/score_columns.hpp"

namespace optgap {

std::vector<float> row_advantages(engine const& by, advantage_rows const& of, advantage_spec const& spec) {
    advantage_inputs in{.rewards = of.rewards, .group = of.group, .cohort = of.cohort, .length = of.length};
    score_columns columns;
    std::vector<std::span<float const>> components;
    std::vector<sense> direction;
    if (reads_columns(spec.form)) {
        for (std::size_t r = 0; r < of.rows.size(); ++r) {
            columns.add(of.rows[r], of.verdicts[r].feasible() ? double(of.verdicts[r].objective) : 0.0);
            direction.push_back(by.tasks()[std::size_t(of.task[r])].objective_sense);
        }
        components = columns.components();
        in.columns = components;
        in.scores = columns.scores();
        in.direction = direction;
    }
    return by.advantages(in, spec);
}

}  // namespace optgap
