// A forked child has none of its parent's threads: it gets an answer or a clear error, and never waits for ever.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "host/cpu_pool.hpp"
#include "tests/support/scheduler_cases.hpp"

#if defined(__SANITIZE_THREAD__)
#define OPTGAP_NO_THREADS_AFTER_FORK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OPTGAP_NO_THREADS_AFTER_FORK 1
#endif
#endif

namespace optgap::testing {
namespace {

/// The exit code of `body` in a forked child, which is killed after a while.
template <class Body>
int in_child(Body const& body) {
    pid_t const child = fork();
    if (child == 0) {
        alarm(60);
        int code = 99;
        try {
            code = body();
        } catch (std::exception const&) {
            code = 98;
        }
        _exit(code);
    }
    int state = 0;
    EXPECT_EQ(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
}

class after_fork : public ::testing::Test {
protected:
    void SetUp() override {
#ifdef OPTGAP_NO_THREADS_AFTER_FORK
        GTEST_SKIP() << "ThreadSanitizer cannot start threads after a fork";
#endif
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
    // The parent's pool is at work, and its locks are held, when the fork comes.
    std::thread busy([&] {
        while (!over) {
            static_cast<void>(sum_of_rows());
        }
    });
    for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(in_child([&] { return sum_of_rows() == 1000 ? 7 : 8; }), 7);
    }
    over = true;
    busy.join();
    EXPECT_EQ(sum_of_rows(), 1000);
}

TEST_F(after_fork, the_engine_scores_and_a_scheduler_of_the_childs_own_works) {
    rollout_step const step(10, 4);
    engine const by({.where = device::cpu, .threads = 2});
    score_batch const expected = by.score(step.request());
    int const code = in_child([&] {
        bool const same = by.score(step.request()).rows == expected.rows;
        scheduler own(by);
        auto const found = own.collect(own.submit(step.problem_of(0), step.of_instance(0)), 30s);
        bool const scored = found && found->how == outcome::scored && found->rows()[1] == expected.rows[1];
        return same && scored ? 7 : 8;
    });
    EXPECT_EQ(code, 7);
}

TEST_F(after_fork, the_parents_scheduler_refuses_by_name_and_can_be_destroyed) {
    rollout_step const step(10, 4);
    auto by = std::make_unique<scheduler>(cpu_engine());
    std::atomic<bool> over = false;
    std::thread busy([&] {
        while (!over) {
            EXPECT_TRUE(by->collect(by->submit(step.problem_of(1), step.of_instance(1)), soon));
        }
    });
    for (int round = 0; round < 20; ++round) {
        int const code = in_child([&] {
            try {
                static_cast<void>(by->submit(step.problem_of(0), step.of_instance(0)));
                return 8;
            } catch (error const& problem) {
                bool const named = std::string_view(problem.what()).find("forked child") != std::string_view::npos;
                by.reset();
                return named ? 7 : 9;
            }
        });
        EXPECT_EQ(code, 7);
    }
    over = true;
    busy.join();
}

}  // namespace
}  // namespace optgap::testing
