#pragma once
// Shared by the tests of clique.

#include "kernels/tasks/clique/clique.hpp"
#include "tests/support/vertex_set_fixture.hpp"

namespace optgap::clique_fixture {

using namespace vertex_set_fixture;
using task = optgap::tasks::clique::task;
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

inline block const paper = graph(R"({"n":5,"edges":[[0,1],[0,2],[0,3],[0,4],[1,3],[1,4],[2,3],[3,4]]})");

}  // namespace optgap::clique_fixture
