// The engine does not trust a planted answer. It refuses one that the verifier refuses, and an honest one makes a proof
// of no steps. The task is clique with a planted answer, in the registry of lying_solver_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "optgap/engine.hpp"
#include "optgap/status.hpp"
#include "tests/faulty_tasks/planted_clique.hpp"

namespace optgap {
namespace {

std::vector<instance_spec> specs() {
    std::vector<instance_spec> out;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        out.push_back({planted_clique_task, difficulty::benchmark(), split::test, seed});
    }
    return out;
}

std::string said_of(plant_lie lie) {
    engine const by({.where = device::cpu, .threads = 1});
    told_plant = lie;
    try {
        static_cast<void>(by.planted(specs()));
        return "";
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::internal);
        return refused.what();
    }
}

TEST(lying_plant, is_believed_when_it_does_not_lie) {
    EXPECT_EQ(said_of(plant_lie::none), "");
    engine const by({.where = device::cpu, .threads = 2});
    instance_batch const instances = by.generate(specs());
    csr_words const plants = by.planted(specs());
    solved_batch const solved = by.solve(instances.view(), 0, plants.view());
    solved_batch const searched = by.solve(instances.view());
    for (std::size_t r = 0; r < solved.rows.size(); ++r) {
        EXPECT_EQ(solved.rows[r].objective, searched.rows[r].objective) << r;
        EXPECT_TRUE(std::ranges::equal(solved.answers.row(std::int64_t(r)), plants.row(std::int64_t(r)))) << r;
    }
}

TEST(lying_plant, has_no_row_for_a_task_without_one_and_for_no_instance) {
    engine const by({.where = device::cpu, .threads = 1});
    std::vector<instance_spec> const none{{-1, {}, split::train, 0}, {1, difficulty::easy(), split::train, 0}};
    csr_words const plants = by.planted(none);
    EXPECT_EQ(plants.rows(), 2);
    EXPECT_TRUE(plants.words.empty());
    EXPECT_THROW(static_cast<void>(by.planted(std::vector<instance_spec>{{-2, {}, split::train, 0}})), error);
    EXPECT_EQ(by.planted({}).rows(), 0);
}

TEST(lying_plant, is_caught) {
    EXPECT_NE(said_of(plant_lie::infeasible)
                  .find("clique at level benchmark, seed 0: the planted answer is refused by "
                        "the verifier: "),
              std::string::npos);
    EXPECT_NE(said_of(plant_lie::no_block).find("is no answer block"), std::string::npos);
    EXPECT_NE(said_of(plant_lie::too_long).find("its task said"), std::string::npos);
    EXPECT_EQ(said_of(plant_lie::nothing), "");
}

}  // namespace
}  // namespace optgap
