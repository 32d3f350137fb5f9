// The proof of meeting against the oracle, on odd instances and on large ones.

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/tasks/meeting/meeting_fixture.hpp"

namespace optgap {
namespace {

using namespace meeting_fixture;

void expect_proven(block const& instance, solved const& found) {
    EXPECT_EQ(found.result.status, baseline_status::optimal);
    EXPECT_EQ(found.result.bound, found.result.objective);
    verdict const claimed = verify(instance, found.answer);
    EXPECT_TRUE(claimed.feasible());
    EXPECT_EQ(claimed.objective, found.result.objective);
}

TEST(meeting_exact, proves_what_the_oracle_finds) {
    std::int64_t compared = 0;
    for (std::uint64_t seed = 0; seed < 700; ++seed) {
        block const instance = odd_instance(seed);
        ASSERT_EQ(task::check(view(instance)), nullptr) << seed;
        solved const found = solve(instance);
        expect_proven(instance, found);
        auto const optimum = reference::meeting::optimum(instance);
        compared += optimum ? 1 : 0;
        ASSERT_TRUE(!optimum || found.result.objective == *optimum) << seed;
    }
    EXPECT_GT(compared, 500);
}

TEST(meeting_exact, proves_generated_instances_that_the_oracle_can_solve) {
    std::int64_t compared = 0;
    for (std::int32_t code : {-4, -3, 0, 2, 4}) {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            block const instance = generate(seed, difficulty{code});
            solved const found = solve(instance);
            expect_proven(instance, found);
            auto const optimum = reference::meeting::optimum(instance);
            compared += optimum ? 1 : 0;
            EXPECT_TRUE(!optimum || found.result.objective == *optimum) << code << " " << seed;
        }
    }
    EXPECT_GT(compared, 15);
}

TEST(meeting_exact, proves_the_benchmark_level) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        block const instance = generate(seed, difficulty::benchmark());
        expect_proven(instance, solve(instance));
    }
}

TEST(meeting_exact, finds_the_start_that_no_grid_has) {
    // Meeting 1 has to follow meeting 0 at minute 7 + 13, and meeting 2 meeting 1.
    block const tight = calendar(
        R"({"attendees":[[0],[0,1],[1]],"durations":[13,11,5],"availability":[[[7,31]],[[3,36]]],"capacities":[2]})");
    solved const found = solve(tight);
    EXPECT_EQ(found.result.objective, 4);
    expect_proven(tight, found);
}

TEST(meeting_exact, gives_a_small_meeting_the_large_room_when_the_small_one_comes_too_late) {
    // The small meetings 0 and 1 overlap; 2 needs the large room from 3 on, so 0 has to take it and 1 the small one.
    block const crossed =
        calendar(R"({"attendees":[[0],[1],[2,3]],"durations":[3,3,2],"availability":[[[0,3]],[[1,4]],[[3,5]],[[3,5]]],)"
                 R"("capacities":[1,2]})");
    solved const found = solve(crossed);
    EXPECT_EQ(found.result.objective, 4);
    expect_proven(crossed, found);
}

TEST(meeting_exact, never_gets_worse_with_more_budget) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generate(seed, difficulty::scale(14));
        solved before = solve(instance, 0);
        EXPECT_EQ(before.answer, greedy(instance));
        EXPECT_EQ(before.result.steps, 0);
        for (std::int64_t budget = 1; budget < 200'000; budget = budget * 3 / 2 + 1) {
            solved const now = solve(instance, budget);
            ASSERT_GE(now.result.objective, before.result.objective);
            ASSERT_LE(now.result.bound, before.result.bound);
            ASSERT_GE(now.result.bound, now.result.objective);
            ASSERT_EQ(verify(instance, now.answer).objective, now.result.objective);
            before = now;
        }
        EXPECT_EQ(before.result.status, baseline_status::optimal);
    }
}

/// `count` meetings of 1 to 7 people each, all of whom are free all day.
block busy_day(std::int32_t count, std::int32_t rooms, std::int32_t capacity) {
    json instance;
    for (std::int32_t p = 0; p < 40; ++p) {
        instance["availability"].push_back(json::parse("[[540,1020]]"));
    }
    for (std::int32_t m = 0; m < count; ++m) {
        json people = json::array();
        for (std::int32_t i = 0; i <= m % 7; ++i) {
            people.push_back((m * 5 + i * 3) % 40);
        }
        instance["attendees"].push_back(people);
        instance["durations"].push_back(10 + m * 7 % 50);
    }
    instance["capacities"] = json::array();
    for (std::int32_t r = 0; r < rooms; ++r) {
        instance["capacities"].push_back(capacity);
    }
    return optgap_text_meeting.from_json(instance);
}

TEST(meeting_exact, bounds_a_large_instance_honestly) {
    for (std::int32_t rooms : {0, 1, 4, 300}) {
        block const instance = busy_day(200, rooms, 9);
        solved const found = solve(instance, 3000);
        verdict const claimed = verify(instance, found.answer);
        EXPECT_TRUE(claimed.feasible()) << rooms;
        EXPECT_EQ(claimed.objective, found.result.objective);
        EXPECT_GE(found.result.bound, found.result.objective);
        EXPECT_EQ(found.result.status == baseline_status::optimal, found.result.bound == found.result.objective);
        EXPECT_EQ(found.result.status == baseline_status::optimal, rooms == 0) << rooms;
    }
    // One room, 480 minutes: the meetings with the most people per minute fill at most that.
    solved const one_room = solve(busy_day(200, 1, 9), 3000);
    EXPECT_EQ(std::string(task::bound_kinds[one_room.result.bound_kind]), "time");
    EXPECT_LE(one_room.result.bound, 3 * one_room.result.objective);
}

TEST(meeting_exact, proves_a_large_instance_in_which_everything_fits) {
    json instance;
    for (std::int32_t m = 0; m < 600; ++m) {
        instance["attendees"].push_back({m});
        instance["durations"].push_back(30);
        instance["availability"].push_back(json::parse("[[540,570]]"));
        instance["capacities"].push_back(1);
    }
    solved const found = solve(optgap_text_meeting.from_json(instance), 0);
    EXPECT_EQ(found.result.status, baseline_status::optimal);
    EXPECT_EQ(found.result.objective, 600);
}

}  // namespace
}  // namespace optgap
