#include "tests/fake_cuda/device_columns.hpp"

#include <algorithm>
#include <utility>

namespace optgap::testing {

answered all_tasks_answered(std::uint64_t seeds, std::int64_t mutations) {
    constexpr std::size_t longest = 2048;  // words of an answer
    answered all;
    for (std::size_t task = 0; task < cpu_engine().tasks().size(); ++task) {
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            all.specs.push_back({std::int32_t(task), difficulty::easy(), split::train, seed});
        }
    }
    std::mt19937_64 random(5);
    std::shuffle(all.specs.begin(), all.specs.end(), random);
    all.instances = cpu_engine().generate(all.specs);
    std::vector<std::pair<std::int32_t, words>> rows;
    for (std::int64_t i = 0; i < all.instances.size(); ++i) {
        for (words& answer :
             answers_for(all.instances.task[std::size_t(i)], all.instances.blocks.row(i), mutations, random)) {
            if (answer.size() <= longest) {
                rows.emplace_back(std::int32_t(i), std::move(answer));
            }
        }
    }
    std::shuffle(rows.begin(), rows.end(), random);
    for (auto const& [instance, answer] : rows) {
        all.instance_of.push_back(instance);
        all.answers.append(answer);
    }
    return all;
}

}  // namespace optgap::testing
