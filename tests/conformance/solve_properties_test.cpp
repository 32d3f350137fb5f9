// Property tests of baselines and local search, for every task of the registry. The solver is never trusted.

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class solve_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, solve_properties, ::testing::ValuesIn(all_tasks()), task_name);

sense sense_of(std::int32_t task) { return cpu_engine().tasks()[std::size_t(task)].objective_sense; }

/// Whether `a` is at least as good as `b`.
bool as_good(std::int64_t a, std::int64_t b, sense direction) { return direction == sense::maximise ? a >= b : a <= b; }

std::vector<verdict> verify_each(instance_batch const& batch, csr_words const& answers) {
    return cpu_engine().verify(batch.view(), answers.view());
}

TEST_P(solve_properties, benchmark_instances_are_proven_by_the_default_budget_and_the_verifier_agrees) {
    for (difficulty level : {difficulty::benchmark(), difficulty::easy(), difficulty::scale(3)}) {
        bool const proves = abilities_of(GetParam()).proves;  // else every instance takes the whole budget
        instance_batch const batch = instances_of(GetParam(), level, repeats(proves || long_form() ? 40 : 6));
        solved_batch const solved = cpu_engine().solve(batch.view());
        std::vector<verdict> const found = verify_each(batch, solved.answers);
        for (std::size_t r = 0; r < solved.rows.size(); ++r) {
            baseline const& row = solved.rows[r];
            if (proves) {
                EXPECT_EQ(row.status, baseline_status::optimal);
            }
            EXPECT_EQ(row.objective == row.bound, row.status == baseline_status::optimal);
            EXPECT_TRUE(found[r].feasible());
            EXPECT_EQ(found[r].objective, row.objective);
            for (std::int64_t anchor : {row.floor, row.greedy}) {
                EXPECT_TRUE(anchor == no_objective || as_good(row.objective, anchor, sense_of(GetParam())));
            }
        }
    }
}

TEST_P(solve_properties, a_proven_optimum_is_the_reference_s) {
    instance_batch const batch = small_instances(GetParam(), repeats(12));
    solved_batch const solved = cpu_engine().solve(batch.view());
    oracle const& twin = *oracles()[std::size_t(GetParam())];
    std::int64_t compared = 0;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        std::optional<std::int64_t> const optimum = twin.optimum(batch.blocks.row(r));
        if (optimum) {
            ++compared;
            EXPECT_EQ(solved.rows[std::size_t(r)].objective, *optimum) << "row " << r;
        }
    }
    EXPECT_GE(compared, batch.size() / 4) << "the reference solved too few";
}

/// Compares searches that are cut off with those of `full` steps and with the results of a local search.
void expect_budgets_to_reward(instance_batch const& batch, std::int32_t task, std::int64_t full,
                              std::initializer_list<std::int64_t> budgets) {
    sense const direction = sense_of(task);
    solved_batch const best = cpu_engine().solve(batch.view(), full);
    improved_batch const improved = cpu_engine().improve(batch.view(), feasible_starts(batch, best).view(), 2000, 7);
    std::vector<baseline> last;
    for (std::int64_t const budget : budgets) {
        solved_batch const solved = cpu_engine().solve(batch.view(), budget);
        for (std::size_t r = 0; r < solved.rows.size(); ++r) {
            baseline const& row = solved.rows[r];
            if (!abilities_of(task).bounds && row.bound == no_objective) {
                continue;
            }
            ASSERT_NE(row.bound, no_objective) << "budget " << budget;
            EXPECT_TRUE(as_good(row.bound, best.rows[r].objective, direction)) << "the bound excludes the optimum";
            EXPECT_TRUE(as_good(row.bound, improved.objective[r], direction)) << "local search beats the bound";
            EXPECT_EQ(row.proven(), row.objective == row.bound);
            if (!last.empty() && last[r].objective != no_objective) {
                EXPECT_TRUE(as_good(row.objective, last[r].objective, direction)) << "budget " << budget;
                EXPECT_TRUE(as_good(last[r].bound, row.bound, direction)) << "budget " << budget;
            }
            if (budget == 0 && abilities_of(task).computes) {
                EXPECT_TRUE(row.proven());
                EXPECT_EQ(row.steps, 0);
            } else if (budget == 0 && abilities_of(task).greedy) {
                EXPECT_EQ(row.objective, row.greedy);
            }
        }
        last = solved.rows;
    }
}

TEST_P(solve_properties, more_budget_is_never_worse_and_bounds_stay_valid) {
    expect_budgets_to_reward(instances_of(GetParam(), difficulty::benchmark(), repeats(6)), GetParam(), -1,
                             {0, 1, 3, 10, 30, 100, 1000, 10000});
}

TEST_P(solve_properties, more_budget_is_never_worse_and_bounds_stay_valid_when_sets_take_several_words) {
    for (std::int32_t const d : {57, 70}) {
        expect_budgets_to_reward(instances_of(GetParam(), difficulty::scale(d), repeats(2)), GetParam(), 20'000,
                                 {0, 1, 3, 10, 30, 100, 1000});
    }
}

TEST_P(solve_properties, solving_repeats_to_the_byte_on_any_number_of_threads) {
    instance_batch const batch = small_instances(GetParam(), repeats(4));
    engine const threaded({.where = device::cpu, .threads = 4});
    solved_batch const a = cpu_engine().solve(batch.view());
    solved_batch const b = threaded.solve(batch.view());
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.answers, b.answers);
}

TEST_P(solve_properties, every_instruction_set_finds_the_same_answer) {
    if (best_instruction_set() == 0) {
        GTEST_SKIP() << one_instruction_set;
    }
    task_entry const& entry = registry()[std::size_t(GetParam())];
    instance_batch const batch = instances_of(GetParam(), difficulty::benchmark(), 4);
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        auto const row = batch.blocks.row(r);
        words_view const instance{row.data(), std::int64_t(row.size())};
        std::vector<words> answers;
        for (int isa = 0; isa <= best_instruction_set(); ++isa) {
            task_kernels const& task = *entry.builds[isa];
            std::size_t const scratch_words = std::size_t(task.exact_scratch_words(instance)) + 16;
            std::unique_ptr<std::int32_t, void (*)(void*)> scratch(
                static_cast<std::int32_t*>(std::aligned_alloc(64, (scratch_words * 4 + 63) / 64 * 64)), std::free);
            words answer(std::size_t(task.answer_words(instance)));
            solve_result const found = task.exact(instance, {}, {0, 500}, answer.data(), scratch.get());
            answer.resize(std::size_t(found.answer_words));
            answer.push_back(std::int32_t(found.objective));
            answer.push_back(std::int32_t(found.bound));
            answer.push_back(std::int32_t(found.steps));
            answers.push_back(answer);
            EXPECT_EQ(answers.back(), answers.front()) << instruction_sets()[std::size_t(isa)];
        }
    }
}

TEST_P(solve_properties, improving_never_hurts_and_more_steps_are_never_worse) {
    instance_batch const batch = instances_of(GetParam(), difficulty::benchmark(), repeats(8));
    solved_batch const solved = cpu_engine().solve(batch.view());
    csr_words const start = feasible_starts(batch, solved);
    std::vector<std::int64_t> last;
    sense const direction = sense_of(GetParam());
    for (std::int64_t steps : {0, 1, 2, 5, 20, 100, 400}) {
        improved_batch const improved = cpu_engine().improve(batch.view(), start.view(), steps, 7);
        std::vector<verdict> const found = verify_each(batch, improved.answers);
        for (std::size_t r = 0; r < found.size(); ++r) {
            ASSERT_TRUE(found[r].feasible());
            EXPECT_EQ(found[r].objective, improved.objective[r]);
            EXPECT_TRUE(as_good(improved.objective[r], improved.start_objective[r], direction));
            EXPECT_TRUE(as_good(solved.rows[r].objective, improved.objective[r], direction))
                << "beats a proven optimum";
            EXPECT_LE(improved.moves[r], steps);
            if (!last.empty()) {
                EXPECT_TRUE(as_good(improved.objective[r], last[r], direction)) << steps << " steps";
            } else {
                EXPECT_EQ(improved.objective[r], improved.start_objective[r]);
            }
        }
        last = improved.objective;
    }
}

TEST_P(solve_properties, noisy_greedy_answers_differ_repeat_to_the_byte_and_never_beat_the_optimum) {
    constexpr std::int32_t group = 16;
    instance_batch const batch = instances_of(GetParam(), difficulty::benchmark(), repeats(6));
    solved_batch const solved = cpu_engine().solve(batch.view());
    csr_words const answers = cpu_engine().noisy_greedy(batch.view(), group, 3);
    engine const threaded({.where = device::cpu, .threads = 4});
    EXPECT_EQ(threaded.noisy_greedy(batch.view(), group, 3), answers);
    EXPECT_NE(cpu_engine().noisy_greedy(batch.view(), group, 4), answers);
    ASSERT_EQ(answers.rows(), batch.size() * group);
    std::vector<std::int32_t> of;
    for (std::int64_t r = 0; r < answers.rows(); ++r) {
        of.push_back(std::int32_t(r / group));
    }
    std::vector<verdict> const found = cpu_engine().verify(batch.view(), answers.view(), of);
    std::int64_t feasible = 0;
    for (std::size_t r = 0; r < found.size(); ++r) {
        feasible += found[r].feasible() ? 1 : 0;
        if (found[r].feasible()) {
            EXPECT_TRUE(as_good(solved.rows[r / group].objective, found[r].objective, sense_of(GetParam())));
        }
    }
    if (abilities_of(GetParam()).greedy) {
        EXPECT_GT(feasible, 0);
    }
}

class decide_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, decide_properties, ::testing::ValuesIn(tasks_that(&abilities::decides)), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(decide_properties);

TEST_P(decide_properties, the_optimum_is_known_before_the_search) {
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(3)}) {
        instance_batch const batch = instances_of(GetParam(), level, 20);
        solved_batch const solved = cpu_engine().solve(batch.view());
        solved_batch const unsearched = cpu_engine().solve(batch.view(), 0);
        for (std::size_t r = 0; r < solved.rows.size(); ++r) {
            EXPECT_TRUE(solved.rows[r].proven());
            EXPECT_EQ(unsearched.rows[r].bound, solved.rows[r].objective);
        }
    }
}

TEST_P(solve_properties, an_infeasible_start_is_returned_as_it_came) {
    instance_batch const batch = small_instances(GetParam(), 1);
    csr_words starts;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        starts.append(words{answer_flat, -7, -7});
    }
    improved_batch const improved = cpu_engine().improve(batch.view(), starts.view(), 50);
    EXPECT_EQ(improved.answers, starts);
    for (std::int64_t objective : improved.objective) {
        EXPECT_EQ(objective, no_objective);
    }
}

}  // namespace
}  // namespace optgap::testing
