#pragma once
// Shared by the tests of independent_set.

#include "kernels/tasks/independent_set/independent_set.hpp"
#include "tests/support/vertex_set_fixture.hpp"

namespace optgap::independent_set_fixture {

using namespace vertex_set_fixture;
using task = optgap::tasks::independent_set::task;
using calls = calls_of<task>;

inline constexpr auto verify = calls::verify;
inline constexpr auto generate = calls::generate;
inline constexpr auto greedy = calls::greedy;
inline solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    return calls::solve(instance, budget);
}
inline improved improve(block const& instance, block const& start, std::int64_t steps) {
    return calls::improve(instance, start, steps);
}

inline block const paper = graph(R"({"n":4,"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]]})");

}  // namespace optgap::independent_set_fixture
