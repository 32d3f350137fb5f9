// Tickets of programs under all operations at once.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <atomic>
#include <random>
#include <thread>

#include "tests/support/program_cases.hpp"

namespace optgap::testing {
namespace {

using nlohmann::json;

/// Threads submit, cancel, forget and collect while others' programs wait, until the scheduler is shut down.
TEST(scheduler_programs, end_exactly_once_whatever_is_done_to_them) {
    bench_of_words here;
    program_step const step;
    problem_ptr const one = problem_from(R"({"key": "tsp@1:train:easy:4*1", "language": "cpp"})");
    for (int round = 0; round < 4; ++round) {
        scheduler by(cpu_engine(), here.options());
        std::atomic<std::int64_t> opened = 0, ended = 0, forgotten = 0;
        std::atomic<bool> over = false;
        auto const work = [&](std::uint64_t seed) {
            std::mt19937_64 random(seed);
            while (!over) {
                std::size_t const row = random() % step.texts.size();
                submission what = random() % 4 == 0 ? endless() : step.of_row(row);
                bool const calls_back = random() % 3 == 0;
                if (what.texts[0] == endless().texts[0] || random() % 3 == 0) {
                    what.deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 3000);
                }
                if (calls_back) {
                    what.on_done = [&](ticket, ticket_result&& of) { ended += of.programs->size(); };
                }
                ticket made = ticket::none;
                try {
                    made = by.submit(what.texts[0] == endless().texts[0] ? one : step.problems[row], what);
                } catch (error const&) {
                    return;  // shut down
                }
                ++opened;
                if (random() % 4 == 0) {
                    static_cast<void>(by.cancel(made));
                }
                if (!calls_back && random() % 5 == 0) {
                    by.forget(made);
                    ++forgotten;
                } else if (!calls_back) {
                    auto const found = by.collect(made, soon);
                    ASSERT_TRUE(found);
                    ended += found->programs->size();
                }
            }
        };
        std::vector<std::thread> threads;
        for (std::uint64_t t = 0; t < 6; ++t) {
            threads.emplace_back(work, 100 * std::uint64_t(round) + t);
        }
        std::this_thread::sleep_for(60ms);
        by.shutdown(round % 2 == 0 ? scheduler::ending::cancel : scheduler::ending::drain);
        over = true;
        for (std::thread& thread : threads) {
            thread.join();
        }
        EXPECT_EQ(ended + forgotten, opened);
        json const said = json::parse(by.statistics());
        EXPECT_EQ(said["tickets"]["open"], 0);
        EXPECT_EQ(said["queue"]["rows"], 0);
        EXPECT_EQ(said["programs"]["waiting"], 0);
        EXPECT_EQ(said["programs"]["waiting_runs"], 0);
        EXPECT_EQ(said["programs"]["executing"], 0);
        EXPECT_EQ(here.in->waiting(), 0);
    }
}

}  // namespace
}  // namespace optgap::testing
