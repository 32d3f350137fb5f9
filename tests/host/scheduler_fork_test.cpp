// A forked child has none of its parent's threads: it gets an answer or a clear error, and never waits forever.

#include "host/cpu/cpu_pool.hpp"
#include "tests/support/child.hpp"
#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

class after_fork : public ::testing::Test {
protected:
    void SetUp() override {
        if (!child_can_start_threads) {
            GTEST_SKIP() << "ThreadSanitizer cannot start threads after a fork";
        }
    }
};

TEST_F(after_fork, a_pool_works_on_with_threads_of_its_own) {
    cpu_pool pool(3);
    auto const sum_of_rows = [&] {
        std::atomic<std::int64_t> sum = 0;
        pool.run(1000, 7, [&](worker_memory&, std::int64_t begin, std::int64_t end) { sum += end - begin; });
        return sum.load();
    };
    std::atomic<bool> over = false;
    // The parent's pool is at work, and its locks are held, at the time of the fork.
    std::thread busy([&] {
        while (!over) {
            static_cast<void>(sum_of_rows());
        }
    });
    for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(exit_code_of_child([&] { child_expects(sum_of_rows() == 1000); }), 0);
    }
    over = true;
    busy.join();
    EXPECT_EQ(sum_of_rows(), 1000);
}

TEST_F(after_fork, the_engine_scores_and_a_scheduler_of_the_childs_own_works) {
    rollout_step const step(10, 4);
    engine const by({.where = device::cpu, .threads = 2});
    score_batch const expected = by.score(step.request());
    EXPECT_EQ(exit_code_of_child([&] {
                  child_expects(by.score(step.request()).rows == expected.rows);
                  scheduler own(by);
                  auto const found = own.collect(own.submit(step.problem_of(0), step.of_instance(0)), 30s);
                  child_expects(found && found->how == outcome::scored && found->rows()[1] == expected.rows[1]);
              }),
              0);
}

TEST_F(after_fork, the_parents_scheduler_refuses_by_name_and_can_be_destroyed) {
    rollout_step const step(10, 4);
    auto by = std::make_unique<scheduler>(cpu_engine());
    std::atomic<bool> over = false;
    std::thread busy([&] {
        while (!over && child_of_busy_parent_can_allocate) {
            EXPECT_TRUE(by->collect(by->submit(step.problem_of(1), step.of_instance(1)), soon));
        }
    });
    for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(exit_code_of_child([&] {
                      bool named = false;
                      try {
                          static_cast<void>(by->submit(step.problem_of(0), step.of_instance(0)));
                      } catch (error const& problem) {
                          named = std::string_view(problem.what()).find("forked child") != std::string_view::npos;
                      }
                      child_expects(named);
                      by.reset();
                  }),
                  0);
    }
    over = true;
    busy.join();
}

}  // namespace
}  // namespace optgap::testing
