// Teams of several threads run the same task code to the same bytes as a team of one. Under ThreadSanitizer this finds
// the races a GPU would have.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "host/ranking.hpp"
#include "kernels/core/bitset.hpp"
#include "kernels/core/thread_team.hpp"
#include "kernels/reward/advantage.hpp"
#include "kernels/reward/ranks.hpp"
#include "task_headers.hpp"

namespace optgap {
namespace {

using words = std::vector<std::int32_t>;

struct outcome {
    words instance;
    words greedy;
    words floor;
    words improved;
    words improved_in_slices;
    std::vector<verdict> verdicts;
    improve_result improvement;
    improve_result improvement_in_slices;
    friend bool operator==(outcome const&, outcome const&) = default;
};

words_view view(words const& block) { return {block.data(), std::int64_t(block.size())}; }

template <class Task, class Run>
outcome run_task(draw source, difficulty level, Run const& run) {
    words generate_scratch(std::size_t(Task::generate_scratch_words(source, level)) + 16, -1);
    outcome result;
    result.instance.assign(std::size_t(Task::instance_words(source, level)), -1);
    run([&](auto& team) { Task::generate(team, source, level, result.instance.data(), generate_scratch.data()); });

    words_view const instance = view(result.instance);
    words scratch(std::size_t(std::max(Task::scratch_words(instance), improve_scratch_words<Task>(instance))) + 32, -1);
    std::int32_t* const aligned =
        scratch.data() + (16 - (reinterpret_cast<std::uintptr_t>(scratch.data()) / 4) % 16) % 16;
    std::size_t const capacity = std::size_t(Task::answer_words(instance));
    std::int64_t size = 0;
    auto const on_lane_zero = [&](auto& team, std::int64_t written) {
        if (team.rank() == 0) {
            size = written;
        }
    };
    result.greedy.assign(capacity, -1);
    run([&](auto& team) { on_lane_zero(team, Task::construct(team, instance, result.greedy.data(), aligned)); });
    result.greedy.resize(std::size_t(size));
    result.floor.assign(capacity, -1);
    run([&](auto& team) { on_lane_zero(team, Task::floor(team, instance, result.floor.data(), aligned)); });
    result.floor.resize(std::size_t(size));

    words state(std::size_t(Task::improve_state_words(instance)) + 1, -1);
    auto const improve = [&](words& answer, improve_result& made, std::initializer_list<std::int64_t> cuts) {
        answer = result.greedy;
        answer.resize(capacity, -1);
        made.answer_words = std::int64_t(result.greedy.size());
        search_slice slice{0, 0, cuts.size() > 1 ? state.data() : nullptr};
        for (std::int64_t const cut : cuts) {
            slice = {slice.end, cut, slice.state};
            improve_result const before = made;
            if (slice.fresh() || before.goes_on(slice.begin)) {
                std::fill(scratch.begin(), scratch.end(), -1);
                run([&](auto& team) {
                    improve_result const mine =
                        Task::improve(team, instance, answer.data(), before, slice, draw{source.seed, 5}, aligned);
                    if (team.rank() == 0) {
                        made = mine;
                    }
                });
            }
        }
        answer.resize(std::size_t(made.answer_words));
    };
    improve(result.improved, result.improvement, {12});
    improve(result.improved_in_slices, result.improvement_in_slices, {1, 4, 5, 12});

    words repeated = result.greedy;
    if (repeated.size() > 2) {
        repeated.back() = repeated[1];
    }
    words wild = result.greedy;
    wild.push_back(INT32_MIN);
    for (words const& answer :
         {result.greedy, result.floor, result.improved, repeated, wild, words{answer_flat}, words{2, 1, 1, 0, 1}}) {
        verdict found;
        run([&](auto& team) {
            verdict const mine = Task::verify(team, instance, view_answer(view(answer)), aligned);
            if (team.rank() == 0) {
                found = mine;
            }
        });
        result.verdicts.push_back(found);
    }
    return result;
}

template <class Task, int N>
void expect_the_same_bytes() {
    for (std::int32_t level : {0, 2, -4}) {
        draw const source{std::uint64_t(level) + 3, 17};
        outcome const alone = run_task<Task>(source, {level}, [](auto const& work) {
            solo team;
            work(team);
        });
        outcome const together = run_task<Task>(source, {level}, [](auto const& work) { run_as_team<N>(work); });
        EXPECT_EQ(alone.instance, together.instance) << "generate, level " << level;
        EXPECT_EQ(alone.greedy, together.greedy) << "construct, level " << level;
        EXPECT_EQ(alone.floor, together.floor) << "floor, level " << level;
        EXPECT_EQ(alone.improved, together.improved) << "improve, level " << level;
        EXPECT_EQ(alone.improvement, together.improvement) << "improve, level " << level;
        for (outcome const* const of : {&alone, &together}) {
            EXPECT_EQ(of->improved_in_slices, alone.improved) << "slices, level " << level;
            EXPECT_EQ(of->improvement_in_slices, alone.improvement) << "slices, level " << level;
        }
        EXPECT_EQ(alone.verdicts, together.verdicts) << "verify, level " << level;
    }
}

#define OPTGAP_TEAM_TEST(name)                                                                                        \
    TEST(team_laws, name##_gives_a_team_of_three_the_bytes_of_one) { expect_the_same_bytes<tasks::name::task, 3>(); } \
    TEST(team_laws, name##_gives_a_team_of_eight_the_bytes_of_one) { expect_the_same_bytes<tasks::name::task, 8>(); }
OPTGAP_FOR_EACH_TASK(OPTGAP_TEAM_TEST)

TEST(team_laws, collectives_agree_with_their_definition) {
    run_as_team<5>([](auto& team) {
        std::int32_t const rank = team.rank();
        EXPECT_EQ(team.sum(rank), 10);
        EXPECT_TRUE(team.all(rank < 5));
        EXPECT_FALSE(team.all(rank < 4));
        EXPECT_TRUE(team.any(rank == 4));
        EXPECT_FALSE(team.any(rank == 5));
        EXPECT_EQ(team.min_by(rank / 2, 9 - rank).index, 8) << "equal keys: the smallest index wins";
        EXPECT_EQ(team.max_by(rank == 2 || rank == 3 ? 7 : 0, rank).index, 2);
        EXPECT_EQ(team.broadcast(rank * 10, 3), 30);
    });
}

TEST(team_laws, first_repeat_is_the_same_for_every_team) {
    words const values{4, 9, 1, 0, 7, 9, 4, 4};
    std::vector<std::uint32_t> seen(1);
    solo alone;
    EXPECT_EQ(first_repeat(alone, values.data(), 8, seen.data(), 10), 5);
    run_as_team<3>([&](auto& team) { EXPECT_EQ(first_repeat(team, values.data(), 8, seen.data(), 10), 5); });
    run_as_team<8>([&](auto& team) { EXPECT_EQ(first_repeat(team, values.data(), 8, seen.data(), 10), 5); });
    EXPECT_EQ(first_repeat(alone, values.data(), 5, seen.data(), 10), -1);
}

TEST(team_laws, advantages_of_a_group_have_the_same_bits_for_every_team) {
    for (std::int64_t count : {1, 2, 7, 16, 31, 33, 100}) {
        std::vector<float> rewards;
        for (std::int64_t k = 0; k < count; ++k) {
            rewards.push_back(k % 7 == 3 ? std::numeric_limits<float>::quiet_NaN() : 0.1f * float((k * 37) % 19));
        }
        auto const row = [](std::int64_t k) { return k; };
        std::vector<float> alone(rewards.size());
        std::vector<float> together(rewards.size());
        double partial[sum_lanes];
        solo one;
        for (group_form form : {group_form::standardised, group_form::centred, group_form::leave_one_out,
                                group_form::over_mean, group_form::best_row}) {
            group_rule const rule{.form = form};
            group_advantage(one, rewards.data(), count, row, rule, partial, alone.data());
            run_as_team<4>(
                [&](auto& team) { group_advantage(team, rewards.data(), count, row, rule, partial, together.data()); });
            EXPECT_EQ(alone, together) << count << " rows, form " << int(form);
        }
    }
}

TEST(team_laws, ranks_of_a_group_have_the_bits_of_the_plain_loops_for_every_team) {
    for (std::int64_t const count : {1, 2, 4, 7, 16, 33, 70}) {
        for (std::int32_t const columns : {1, 3}) {
            std::vector<double> scores;
            for (std::int64_t k = 0; k < count * columns; ++k) {
                scores.push_back(k % 9 == 4 ? std::nan("") : 0.1 * double((k * 37) % 19) - 0.9);
            }
            std::vector<double> plain(static_cast<std::size_t>(count));
            std::vector<double> alone(plain.size(), 7.0);
            std::vector<double> together(plain.size(), 7.0);
            std::vector<double> column(plain.size());
            std::vector<double> value(plain.size());
            double partial[sum_lanes];
            ranking_scratch scratch;
            for (char const* const text :
                 {"river", "rank_uniform", "instance_norm", "raw", "raw_binary",
                  R"({"estimator": "river", "tie": "shared", "denominator": "valid", "post": "standardise"})",
                  R"({"estimator": "river", "tie": "lowest_index", "post": "center"})"}) {
                advantage_spec const spec = parse_advantage_spec(text);
                for (sense const direction : {sense::maximise, sense::minimise}) {
                    rank_room const room{column.data(), value.data(), partial};
                    rank_candidates({scores.data(), count, columns, direction}, spec, scratch, plain);
                    solo one;
                    group_ranker(one, scores.data(), count, columns, direction, spec, room, alone.data()).run();
                    run_as_team<4>([&](auto& team) {
                        group_ranker(team, scores.data(), count, columns, direction, spec, room, together.data()).run();
                    });
                    std::size_t const bytes = plain.size() * sizeof(double);
                    EXPECT_EQ(std::memcmp(plain.data(), alone.data(), bytes), 0) << text << ", " << count << " rows";
                    EXPECT_EQ(std::memcmp(plain.data(), together.data(), bytes), 0) << text << ", " << count << " rows";
                }
            }
        }
    }
}

}  // namespace
}  // namespace optgap
