#include "tests/resident/device_columns.hpp"

#include <algorithm>
#include <utility>

namespace optgap::testing {

answered all_tasks_answered(std::uint64_t seeds, std::int64_t mutations, std::span<difficulty const> levels) {
    constexpr std::size_t longest = 2048;  // words of an answer
    answered all;
    for (std::size_t task = 0; task < cpu_engine().tasks().size(); ++task) {
        for (difficulty const level : levels) {
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                all.specs.push_back({std::int32_t(task), level, split::train, seed});
            }
        }
    }
    std::mt19937_64 random(5);
    std::shuffle(all.specs.begin(), all.specs.end(), random);
    all.instances = cpu_engine().generate(all.specs);
    mixed_answers made = mixed_answers_for(all.instances, mutations, longest, random);
    all.answers = std::move(made.rows);
    all.instance_of = std::move(made.instance_of);
    return all;
}

answered rows_of(answered const& all, std::span<std::int64_t const> rows) {
    answered out{.specs = all.specs, .instances = all.instances, .answers = {}, .instance_of = {}};
    for (std::int64_t const row : rows) {
        out.answers.append(all.answers.row(row));
        out.instance_of.push_back(all.instance_of[std::size_t(row)]);
    }
    return out;
}

}  // namespace optgap::testing
