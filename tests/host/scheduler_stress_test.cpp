// Many concurrent submitters with random deadlines, cancellations and ways of notification; and memory over many
// rollouts.
// OPTGAP_STRESS_SECONDS (default 1) and OPTGAP_STRESS_SUBMITTERS (default 32) make it long:
//
//   OPTGAP_STRESS_SECONDS=60 OPTGAP_STRESS_SUBMITTERS=1000 optgap_unit_tests --gtest_filter='scheduler_stress.*'

#include <unistd.h>

#include <atomic>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/sample.hpp"
#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

int env_number(char const* name, int otherwise) {
    char const* const text = std::getenv(name);
    return text != nullptr ? std::max(1, std::atoi(text)) : otherwise;
}

/// How often the end of each submission was reported, and whether its rows were right.
struct ledger {
    std::atomic<std::int64_t> submitted = 0, ended = 0, wrong = 0, refused = 0;
    std::atomic<std::int64_t> by_outcome[5] = {};

    void note(ticket_result const& result, std::int64_t rows, score_batch const& expected, std::size_t first) {
        ++ended;
        ++by_outcome[std::size_t(result.how)];
        bool good = result.size() == rows;
        for (std::int64_t k = 0; good && k < rows; ++k) {
            reward_row const& row = result.rows()[std::size_t(k)];
            good =
                result.how == outcome::scored ? row == expected.rows[first + std::size_t(k)] : std::isnan(row.reward);
        }
        wrong += good ? 0 : 1;
    }
};

TEST(scheduler_stress, every_ticket_ends_exactly_once) {
    rollout_step const step(60, 4);
    score_batch const expected = cpu_engine().score(step.request());
    int const submitters = env_number("OPTGAP_STRESS_SUBMITTERS", 32);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(env_number("OPTGAP_STRESS_SECONDS", 1));
    engine const by_two({.where = device::cpu, .threads = 2});
    // Small limits, so that blocking, eviction and expiry all happen.
    scheduler by(by_two, {.solve_threads = 2,
                          .window = 300us,
                          .batch_rows = 64,
                          .queue_rows = 96,
                          .instance_cache_bytes = 20'000,
                          .baseline_cache_bytes = 12'000});
    ledger book;
    auto const submit_until_the_end = [&](std::uint64_t seed) {
        std::mt19937_64 random(seed);
        while (std::chrono::steady_clock::now() < end) {
            std::int64_t const i = std::int64_t(random() % step.specs.size());
            auto const first = std::size_t(i * step.per_instance);
            submission what = step.of_instance(i);
            if (random() % 4 == 0) {
                what.deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 3000);
            }
            ++book.submitted;
            std::uint64_t const way = random() % 4;
            if (way == 0) {
                what.on_done = [&, first](ticket, ticket_result&& result) { book.note(result, 4, expected, first); };
                ticket const one = by.submit(step.problem_of(i), what);
                if (random() % 3 == 0) {
                    by.cancel(one);
                }
                continue;
            }
            if (way == 1) {
                issued_batch const issued = by.issue(std::span(step.specs).subspan(std::size_t(i), 1));
                bool const withdrawn = random() % 4 == 0 && by.cancel(issued.tickets[0]);
                if (!withdrawn && !by.submit(issued.tickets[0], what)) {
                    ++book.refused;
                }
                auto const found = by.collect(issued.tickets[0], soon);
                ASSERT_TRUE(found);
                book.note(*found, withdrawn ? 0 : 4, expected, first);
                continue;
            }
            bool const alone = random() % 2 == 0;  // its submitter begins it, and may score it
            if (alone) {
                auto const deadline = what.deadline;
                what = step.of_row(first);
                what.deadline = deadline;
                what.held = true;
            }
            ticket const one = by.submit(step.problem_of(i), what);
            bool const cancelled = random() % 3 == 0 && by.cancel(one);
            if (alone) {
                by.begin();
            }
            std::optional<ticket_result> found = by.collect(one, std::chrono::microseconds(random() % 500));
            if (!found) {
                found = by.collect(one, soon);
            }
            ASSERT_TRUE(found);
            EXPECT_TRUE(!cancelled || found->how == outcome::cancelled);
            book.note(*found, alone ? 1 : 4, expected, first);
        }
    };
    std::vector<std::thread> threads;
    for (int s = 0; s < submitters; ++s) {
        threads.emplace_back(submit_until_the_end, std::uint64_t(s) + 1);
    }
    std::ranges::for_each(threads, &std::thread::join);
    by.shutdown(scheduler::ending::drain);
    EXPECT_EQ(book.ended, book.submitted);
    EXPECT_EQ(book.wrong, 0);
    EXPECT_EQ(book.refused, 0);
    nlohmann::json const said = nlohmann::json::parse(by.statistics());
    EXPECT_EQ(said["tickets"]["open"], 0);
    EXPECT_EQ(said["queue"]["rows"], 0);
    EXPECT_EQ(said["queue"]["bytes"], 0);
    for (outcome const how : {outcome::scored, outcome::expired, outcome::cancelled}) {
        EXPECT_EQ(said["tickets"][outcome_name(how)].get<std::int64_t>(), book.by_outcome[std::size_t(how)].load());
        RecordProperty(outcome_name(how), int(book.by_outcome[std::size_t(how)]));
    }
    std::cout << submitters << " submitters, " << book.ended << " tickets: " << said["tickets"].dump() << "\n";
}

TEST(scheduler_stress, the_end_may_come_at_any_moment) {
    rollout_step const step(20, 2);
    auto const end =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(500 * env_number("OPTGAP_STRESS_SECONDS", 1));
    std::mt19937_64 random(9);
    while (std::chrono::steady_clock::now() < end) {
        std::atomic<int> submitted = 0, called = 0;
        {
            scheduler by(cpu_engine(), {.solve_threads = 2, .queue_rows = 8});
            std::vector<std::thread> threads;
            for (int s = 0; s < 4; ++s) {
                threads.emplace_back([&, s] {
                    for (int k = 0;; ++k) {
                        submission what = step.of_instance((s * 5 + k) % 20);
                        what.on_done = [&](ticket, ticket_result&&) { ++called; };
                        try {
                            submitted += by.submit(step.problem_of((s * 5 + k) % 20), what) != ticket::none ? 1 : 0;
                        } catch (error const&) {
                            return;
                        }
                    }
                });
            }
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
            by.shutdown(random() % 2 == 0 ? scheduler::ending::drain : scheduler::ending::cancel);
            std::ranges::for_each(threads, &std::thread::join);
        }
        EXPECT_EQ(called, submitted);
    }
}

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

TEST(scheduler_stress, memory_is_flat_over_many_rollouts) {
    if (sanitized) {
        GTEST_SKIP() << "a sanitizer's own memory grows";
    }
    rollout_step const step(40, 16);
    // OPTGAP_STRESS_ROLLOUTS=10000000 for the long run.
    int const rollouts = env_number("OPTGAP_STRESS_ROLLOUTS", 60'000);
    scheduler by(cpu_engine(), {.instance_cache_bytes = 1 << 20, .baseline_cache_bytes = 1 << 20});
    std::uint64_t seed = 0;
    auto const run = [&](int count) {
        for (int done = 0; done < count; done += 40 * 16) {
            // Half of the instances are new each time, so the caches are renewed.
            std::vector<instance_spec> specs = step.specs;
            for (std::size_t i = 0; i < specs.size(); i += 2) {
                specs[i].seed = ++seed;
            }
            issued_batch const issued = by.issue(specs);
            for (std::size_t i = 0; i < specs.size(); ++i) {
                submission what = step.of_instance(std::int64_t(i));
                what.deadline = std::chrono::steady_clock::now() + 1h;
                ASSERT_TRUE(by.submit(issued.tickets[i], what));
            }
            ASSERT_TRUE(by.collect(issued.tickets, soon));
        }
    };
    run(rollouts / 4);
    std::int64_t const before = resident_bytes();
    run(rollouts);
    std::int64_t const grown = resident_bytes() - before;
    EXPECT_LT(grown, 4 << 20) << "bytes more after " << rollouts << " rollouts";
    std::cout << rollouts << " rollouts: " << grown / 1024 << " KiB more resident\n";
}

}  // namespace
}  // namespace optgap::testing
