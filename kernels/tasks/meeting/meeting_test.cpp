#include "kernels/tasks/meeting/meeting.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/meeting/meeting_fixture.hpp"

namespace optgap {
namespace {

using namespace meeting_fixture;

constexpr std::int32_t room_too_small = first_task_code;
constexpr std::int32_t unavailable = first_task_code + 1;
constexpr std::int32_t room_taken = first_task_code + 2;
constexpr std::int32_t person_taken = first_task_code + 3;

TEST(meeting, judges_the_papers_example) {
    EXPECT_EQ(verify(paper, triples({0, 0, 900, 1, 1, 1000, 2, 0, 1020})), (verdict{person_taken, 6, 0, 1, 3}));
    EXPECT_EQ(verify(paper, triples({0, 0, 900, 1, 1, 1000, 2, 0, 1030})), (verdict{code_ok, -1, 8, 0, 3}));
    EXPECT_EQ(solve(paper).result.objective, 8);
    EXPECT_EQ(reference::meeting::optimum(paper), 8);
}

TEST(meeting, names_each_broken_rule_at_its_value) {
    EXPECT_EQ(verify(paper, triples({1, 1, 1000, 2, 1, 1030, 0, 1, 900})), (verdict{code_ok, -1, 8, 0, 3}));
    block const small_room =
        calendar(R"({"attendees":[[0,1],[2]],"durations":[10,10],"availability":[[[0,50]],[[0,50]],[[0,20],[30,50]]],)"
                 R"("capacities":[1,2]})");
    EXPECT_EQ(verify(small_room, triples({1, 1, 0, 0, 0, 0})), (verdict{room_too_small, 4, 0, 1, 2}));
    EXPECT_EQ(verify(small_room, triples({0, 1, 0, 1, 0, 15})), (verdict{unavailable, 5, 0, 1, 2}));
    EXPECT_EQ(verify(small_room, triples({1, 0, 41})), (verdict{unavailable, 2, 0, 1, 1}));
    EXPECT_EQ(verify(small_room, triples({1, 0, -1})), (verdict{unavailable, 2, 0, 1, 1}));
    EXPECT_EQ(verify(small_room, triples({1, 0, INT32_MAX})), (verdict{unavailable, 2, 0, 1, 1}));
    EXPECT_EQ(verify(small_room, triples({0, 1, 5, 1, 1, 0})), (verdict{room_taken, 4, 0, 1, 2}));
    EXPECT_EQ(verify(small_room, triples({0, 1, 10, 1, 1, 0})), (verdict{code_ok, -1, 3, 0, 2}));
}

TEST(meeting, counts_the_entries_that_break_a_rule) {
    EXPECT_EQ(verify(paper, triples({0, 0, 900, 1, 0, 930, 2, 1, 940})), (verdict{unavailable, 5, 0, 2, 3}));
    EXPECT_EQ(verify(paper, triples({0, 0, 1000, 1, 0, 1010, 2, 0, 1020})), (verdict{room_taken, 4, 0, 2, 3}));
    EXPECT_EQ(verify(paper, triples({0, 0, 1000, 1, 1, 1010, 2, 0, 1060})), (verdict{person_taken, 3, 0, 1, 3}));
}

TEST(meeting, rejects_people_booked_twice_across_rooms) {
    block const one_person = calendar(
        R"({"attendees":[[0],[0],[0]],"durations":[30,30,30],"availability":[[[540,570]]],"capacities":[1,1,1]})");
    EXPECT_EQ(verify(one_person, triples({0, 0, 540, 1, 1, 540, 2, 2, 540})), (verdict{person_taken, 3, 0, 2, 3}));
    EXPECT_EQ(solve(one_person).result.objective, 1);
}

TEST(meeting, rejects_the_same_meeting_in_every_room) {
    EXPECT_EQ(verify(paper, triples({0, 0, 900, 0, 1, 900})), (verdict{code_repeated, 3, 0, 2, 2}));
    std::vector<std::int32_t> flood;
    for (std::int32_t i = 0; i < 1000; ++i) {
        flood.insert(flood.end(), {2, i % 2, 1000});
    }
    EXPECT_EQ(verify(paper, triples(flood)), (verdict{code_repeated, 3, 0, 1000, 1000}));
}

TEST(meeting, reports_the_first_broken_rule_in_order) {
    EXPECT_EQ(verify(paper, {answer_word, 0}), (verdict{code_unparsable, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {answer_flat, 0, 0, 900}), (verdict{code_bad_depth, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {answer_flat}), (verdict{code_empty, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {0}), (verdict{code_empty, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {2, 3, 2, 7, 0, 900, 1, 1}), (verdict{code_wrong_length, 3, 0, 2, 2}));
    EXPECT_EQ(verify(paper, {1, 0}), (verdict{code_wrong_length, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {2, 3, 4, 0, 0, 900, 1, 1, 1000, 0}), (verdict{code_wrong_length, 3, 0, 2, 2}));
    EXPECT_EQ(verify(paper, triples({0, 0, 900, 0, 2, 900})), (verdict{code_out_of_range, 4, 0, 2, 2}));
    EXPECT_EQ(verify(paper, triples({0, -1, 900})), (verdict{code_out_of_range, 1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, triples({INT32_MIN, INT32_MAX, 0})), (verdict{code_out_of_range, 0, 0, 1, 1}));
    EXPECT_EQ(verify(paper, triples({3, 0, 0})), (verdict{code_out_of_range, 0, 0, 1, 1}));
}

TEST(meeting, accepts_the_empty_list_only_when_nothing_can_take_place) {
    for (char const* text :
         {R"({"attendees":[[0]],"durations":[30],"availability":[[[0,29]]],"capacities":[1]})",
          R"({"attendees":[[0]],"durations":[30],"availability":[[]],"capacities":[1]})",
          R"({"attendees":[[0]],"durations":[30],"availability":[[[0,30]]],"capacities":[]})",
          R"({"attendees":[[0,1]],"durations":[30],"availability":[[[0,30]],[[0,30]]],"capacities":[1,1]})",
          R"({"attendees":[[0,1]],"durations":[30],"availability":[[[0,40]],[[20,60]]],"capacities":[2]})"}) {
        block const hopeless = calendar(text);
        EXPECT_EQ(verify(hopeless, {answer_flat}), (verdict{code_ok, -1, 0, 0, 1})) << text;
        solved const found = solve(hopeless);
        EXPECT_EQ(found.result.status, baseline_status::optimal);
        EXPECT_EQ(found.result.objective, 0);
        EXPECT_EQ(found.answer, (block{0}));
        EXPECT_EQ(floor(hopeless), (block{0}));
        EXPECT_EQ(greedy(hopeless), (block{0}));
    }
}

TEST(meeting, checks_explicit_words) {
    EXPECT_EQ(task::check(view(paper)), nullptr);
    block const good = {1, 2, 1, 30, 1, 1, 2, 5, 1, 0, 9, 540, 600};
    EXPECT_EQ(task::check(view(good)), nullptr);
    struct {
        std::size_t at;
        std::int32_t value;
    } const damages[] = {{0, 0},  {0, -1}, {0, INT32_MAX}, {1, 0},    {1, 3},    {1, INT32_MAX},
                         {2, -1}, {2, 2},  {3, 0},         {4, 0},    {4, 2},    {5, 3},
                         {5, -1}, {6, 1},  {6, 3},         {7, -1},   {8, -1},   {8, 2},
                         {9, -1}, {10, 0}, {11, 600},      {11, 601}, {12, 540}, {12, 1'000'001}};
    for (auto const& [at, value] : damages) {
        block bad = good;
        bad[at] = value;
        EXPECT_NE(task::check(view(bad)), nullptr) << at << " " << value;
    }
    EXPECT_NE(task::check(view({})), nullptr);
}

TEST(meeting, starts_from_its_anchors) {
    EXPECT_EQ(floor(paper), triples({0, 1, 900}));
    EXPECT_EQ(greedy(paper), triples({0, 1, 900, 1, 1, 1090, 2, 1, 1000}));
}

TEST(meeting, draws_its_levels_within_their_ranges) {
    struct {
        difficulty level;
        int meetings[2], people[2], rooms[2], capacity[2], max_attendees;
    } const levels[] = {{difficulty::easy(), {4, 5}, {3, 5}, {3, 4}, {3, 6}, 3},
                        {difficulty::medium(), {5, 6}, {4, 6}, {4, 5}, {3, 6}, 4},
                        {difficulty::hard(), {6, 7}, {5, 7}, {5, 6}, {2, 5}, 4},
                        {difficulty::benchmark(), {8, 10}, {7, 9}, {6, 7}, {3, 10}, 5}};
    for (auto const& expected : levels) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            block const words = generate(seed, expected.level);
            ASSERT_EQ(task::check(view(words)), nullptr);
            auto const all = tasks::meeting::calendar_of(view(words));
            EXPECT_TRUE(all.meetings >= expected.meetings[0] && all.meetings <= expected.meetings[1]);
            EXPECT_TRUE(all.people >= expected.people[0] && all.people <= expected.people[1]);
            EXPECT_TRUE(all.rooms >= expected.rooms[0] && all.rooms <= expected.rooms[1]);
            int largest = 0;
            for (std::int32_t m = 0; m < all.meetings; ++m) {
                int const size = tasks::meeting::size_of(all, m);
                largest = std::max(largest, size);
                EXPECT_TRUE(size >= 2 && size <= expected.max_attendees);
                EXPECT_TRUE(all.duration[m] % 30 == 0 && all.duration[m] >= 30 && all.duration[m] <= 90);
            }
            EXPECT_GE(tasks::meeting::largest_capacity(all), largest);
            for (std::int32_t r = 0; r < all.rooms; ++r) {
                EXPECT_TRUE(all.capacity[r] >= expected.capacity[0] && all.capacity[r] <= expected.capacity[1]);
            }
            for (std::int32_t p = 0; p < all.people; ++p) {
                std::int32_t const first = tasks::meeting::begin_of(all.window_end, p);
                std::int32_t const count = all.window_end[p] - first;
                EXPECT_TRUE(expected.level == difficulty::benchmark() ? count >= 2 && count <= 4 : count <= 3);
                EXPECT_EQ(all.window[2 * first], 540);
                EXPECT_EQ(all.window[2 * (first + count) - 1], 1020);
                for (std::int32_t i = 2 * first; i < 2 * (first + count); ++i) {
                    EXPECT_EQ(all.window[i] % 30, 0);
                }
            }
            EXPECT_NE(words, generate(seed + 1, expected.level));
        }
    }
}

TEST(meeting, climbs_a_scale_that_never_shrinks) {
    std::int32_t before = 0;
    for (std::int32_t d : {0, 1, 2, 10, 11, 100, 3980, max_scale_step}) {
        block const words = generate(1, difficulty::scale(d));
        EXPECT_GE(words[0], before);
        before = words[0];
        EXPECT_EQ(task::check(view(words)), nullptr);
    }
    EXPECT_EQ(before, 1994);
}

TEST(meeting, makes_mistakes_in_its_noisy_greedy_answers) {
    std::vector<std::int64_t> seen;
    for (std::uint32_t k = 0; k < 16; ++k) {
        block const instance = generate(5, difficulty::scale(20));
        block const answer = written(instance, [&](std::int32_t* out, std::int32_t* scratch) {
            return task::noisy_greedy(view(instance), draw{9, k}, out, scratch);
        });
        verdict const found = verify(instance, answer);
        EXPECT_TRUE(found.feasible());
        seen.push_back(found.objective);
    }
    EXPECT_NE(*std::min_element(seen.begin(), seen.end()), *std::max_element(seen.begin(), seen.end()));
}

TEST(meeting, improves_the_greedy_schedule) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        block const instance = generate(seed, difficulty::scale(10));
        block const start = greedy(instance);
        improved before = improve(instance, start, 0);
        EXPECT_EQ(before.answer, start);
        for (std::int64_t steps : {1, 7, 60, 300}) {
            improved const now = improve(instance, start, steps);
            EXPECT_GE(now.result.objective, before.result.objective);
            EXPECT_EQ(verify(instance, now.answer).objective, now.result.objective);
            EXPECT_LE(now.result.objective, solve(instance).result.objective);
            EXPECT_LE(now.result.moves, steps);
            before = now;
        }
    }
    EXPECT_EQ(improve(paper, triples({0, 1, 900}), 20).result.objective, 8);
    EXPECT_EQ(improve(paper, triples({0, 0, 900, 0, 1, 900}), 20).result, (improve_result{.answer_words = 9}));
}

TEST(meeting, gives_every_team_the_same_bytes) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        block const words = generate(seed, difficulty::benchmark());
        block const start = greedy(words);
        improved const alone = improve(words, start, 25);
        auto const run = [&](auto const& write) {
            scratch_memory scratch(task::scratch_words(view(words)));
            block answer(std::size_t(task::answer_words(view(words))) + words.size());
            std::copy(start.begin(), start.end(), answer.begin());
            std::int64_t size = 0;
            run_as_team<5>([&](auto& team) {
                std::int64_t const own = write(team, answer.data(), scratch.data());
                if (team.rank() == 0) {
                    size = own;
                }
            });
            answer.resize(std::size_t(size));
            return answer;
        };
        EXPECT_EQ(run([&](auto& team, std::int32_t* answer, std::int32_t* scratch) {
                      task::generate(team, draw{seed, 0x3ee7}, difficulty::benchmark(), answer, scratch);
                      return std::int64_t(words.size());
                  }),
                  words);
        EXPECT_EQ(run([&](auto& team, std::int32_t* answer, std::int32_t* scratch) {
                      return task::greedy(team, view(words), answer, scratch);
                  }),
                  start);
        EXPECT_EQ(run([&](auto& team, std::int32_t* answer, std::int32_t* scratch) {
                      return task::floor(team, view(words), answer, scratch);
                  }),
                  floor(words));
        EXPECT_EQ(run([&](auto& team, std::int32_t* answer, std::int32_t* scratch) {
                      improve_result const together =
                          task::improve(team, view(words), answer, {.answer_words = std::int64_t(start.size())},
                                        {0, 25}, {3, 7}, scratch);
                      EXPECT_EQ(together, alone.result);
                      return together.answer_words;
                  }),
                  alone.answer);
        block shifted = start;
        shifted.back() += 15;
        for (block const& tried : {start, shifted, triples({1, 0, 600, 2, 0, 600, 1, 0, 600}), block{answer_flat},
                                   triples({0, 0, 540, 1, 0, 540, 2, 0, 540, 3, 0, 540})}) {
            verdict const expected = verify(words, tried);
            scratch_memory scratch(task::scratch_words(view(words)));
            run_as_team<5>([&](auto& team) {
                EXPECT_EQ(task::verify(team, view(words), view_answer(view(tried)), scratch.data()), expected);
            });
        }
    }
}

}  // namespace
}  // namespace optgap
