// The style that a row's key draws, and the names of tasks.

#include <gtest/gtest.h>

#include <algorithm>

#include "optgap/engine.hpp"
#include "optgap/task_choice.hpp"

namespace optgap {
namespace {

TEST(task_labels, are_what_choose_tasks_finds_a_task_by) {
    engine const by({.where = device::cpu, .threads = 1});
    for (task_info const& info : by.tasks()) {
        for (std::string const& label : task_labels(info)) {
            std::vector<std::int32_t> const found = choose_tasks(label, by.tasks());
            EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](std::int32_t t) {
                return by.tasks()[std::size_t(t)].name == info.name;
            })) << label;
        }
    }
}

TEST(drawn_style, is_of_the_key_alone_and_never_the_last) {
    engine const by({.where = device::cpu, .threads = 1});
    task_info const& info = by.tasks()[0];
    std::vector<std::int32_t> times(std::size_t(info.styles));
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        instance_spec const spec{0, difficulty::scale(3), split::train, seed};
        std::int32_t const style = drawn_style(info, spec);
        ASSERT_EQ(drawn_style(info, spec), style);
        ++times.at(std::size_t(style));
    }
    EXPECT_EQ(times.back(), 0) << "it is kept for evaluation";
    for (std::size_t style = 0; style + 1 < times.size(); ++style) {
        EXPECT_NEAR(times[style], 4000.0 / double(times.size() - 1), 160);
    }
    task_info one = info;
    one.styles = 1;
    EXPECT_EQ(drawn_style(one, {0, difficulty::scale(3), split::train, 1}), 0);
    std::int32_t other_level = 0, other_split = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        std::int32_t const style = drawn_style(info, {0, difficulty::scale(3), split::train, seed});
        other_level += drawn_style(info, {0, difficulty::scale(4), split::train, seed}) == style ? 1 : 0;
        other_split += drawn_style(info, {0, difficulty::scale(3), split::val, seed}) == style ? 1 : 0;
    }
    double const alike = 1000.0 / double(times.size() - 1);
    EXPECT_NEAR(other_level, alike, 70);
    EXPECT_NEAR(other_split, alike, 70);
}

}  // namespace
}  // namespace optgap
