// The measurement of interference on loops whose rates are known.

#include "bench/interference.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "optgap/status.hpp"

namespace optgap::testing {
namespace {

using namespace std::chrono_literals;

/// Ticks every millisecond, and shows when it runs.
bench::trainer_loop ticking(std::atomic<int>& running, double ticks_a_second) {
    return {"ticks", "ticks", "", [&running, ticks_a_second](std::atomic<bool> const& stop) {
                ++running;
                while (!stop) {
                    std::this_thread::sleep_for(1ms);
                }
                --running;
                return ticks_a_second;
            }};
}

TEST(interference, the_loop_runs_beside_every_call_of_the_second_half_and_beside_none_of_the_first) {
    for (bool const reversed : {false, true}) {
        std::atomic<int> running{0};
        std::vector<int> seen;
        auto const call = [&] {
            std::this_thread::sleep_for(2ms);
            seen.push_back(running.load());
        };
        bench::interference_round const round = bench::measure_round(ticking(running, 500.0), call, 10, 0.03, reversed);
        ASSERT_GE(seen.size(), 2u);
        EXPECT_EQ(seen.front(), reversed ? 1 : 0);
        EXPECT_EQ(seen.back(), reversed ? 0 : 1);
        for (std::size_t k = 1; k < seen.size(); ++k) {
            EXPECT_TRUE(reversed ? seen[k] <= seen[k - 1] : seen[k] >= seen[k - 1]) << "the halves mix at call " << k;
        }
        EXPECT_EQ(running, 0);
        EXPECT_EQ(round.slowdown(), 0.0);
        EXPECT_EQ(round.loop_alone, 500.0);
        // At least two milliseconds for ten rows.
        EXPECT_LE(round.engine_alone, 5001.0);
        EXPECT_LE(round.engine_beside, 5001.0);
        EXPECT_GT(round.engine_beside, 0.0);
    }
}

TEST(interference, a_loop_or_a_call_that_fails_ends_the_measurement) {
    bench::trainer_loop const broken{"broken", "", "", [](std::atomic<bool> const&) -> double {
                                         throw error(status::device_failed, "the loop is gone");
                                     }};
    EXPECT_THROW(bench::measure_round(
                     broken, [] {}, 1, 0.001, false),
                 error);
    std::atomic<int> running{0};
    auto const fails = [] { throw error(status::out_of_memory, "no row fits"); };
    EXPECT_THROW(bench::measure_round(ticking(running, 1.0), fails, 1, 0.001, true), error);
    EXPECT_EQ(running, 0) << "the loop outlives the measurement";
}

TEST(interference, what_the_rounds_say_of_the_promise) {
    auto const of_slowdowns = [](std::vector<double> const& slowdowns) {
        bench::interference row;
        for (double const slowdown : slowdowns) {
            row.rounds.push_back({1.0 + slowdown, 1.0, 1.0, 0.5});
        }
        return row;
    };
    EXPECT_EQ(of_slowdowns({-0.01, 0.0, 0.01, 0.015, 0.019}).slowdown_holds(), bench::claim::yes);
    EXPECT_EQ(of_slowdowns({0.0, 0.0, 0.01, 0.01, 0.5}).slowdown_holds(), bench::claim::unclear);
    EXPECT_EQ(of_slowdowns({0.0, 0.0, 0.03, 0.04, 0.05}).slowdown_holds(), bench::claim::no);
    bench::interference const row = of_slowdowns({0.1, 0.2, 0.3});
    EXPECT_NEAR(row.median([](bench::interference_round const& round) { return round.slowdown(); }), 0.2, 1e-12);
    EXPECT_NEAR(row.spread([](bench::interference_round const& round) { return round.slowdown(); }), 0.2, 1e-12);
    EXPECT_EQ(row.median([](bench::interference_round const& round) { return round.kept(); }), 0.5);
}

TEST(interference, the_cpu_s_loops_do_work_until_they_are_stopped) {
    for (bench::trainer_loop const& loop : bench::cpu_loops()) {
        std::atomic<bool> const at_once{true};
        EXPECT_GT(loop.run(at_once), 1e8) << loop.name;
    }
}

TEST(interference, the_default_of_the_engine_is_a_point_of_the_cpu_s_curve) {
    std::vector<bench::budget> const all = bench::budgets({}, device::cpu);
    std::int32_t const threads = engine({.where = device::cpu}).threads();
    ASSERT_EQ(all.size(), std::size_t(threads));
    EXPECT_TRUE(all[0].is_default);
    EXPECT_EQ(all[0].threads, threads);
    for (bench::budget const& one : bench::budgets({.options = {.threads = threads + 1}}, device::cpu)) {
        EXPECT_EQ(one.is_default, one.threads == threads);
    }
}

}  // namespace
}  // namespace optgap::testing
