// Cases that a reader of pairs' rules would think of.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/tasks/pairs/pairs.hpp"
#include "tests/support/garbage_words.hpp"

namespace optgap {
namespace {

using namespace tasks::pairs;
using block = std::vector<std::int32_t>;

words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

verdict judge(block const& instance, block const& answer) {
    solo team;
    testing::garbage_words const scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.get());
}

block generated(difficulty level, std::uint64_t seed) {
    solo team;
    draw const source{seed, 9};
    block words(std::size_t(task::instance_words(source, level)));
    task::generate(team, source, level, words.data(), nullptr);
    return words;
}

/// The number of moves of a walk that takes cells in this order, row and column by row and column.
std::int64_t length_of(block const& instance, std::int32_t const* cells) {
    std::int32_t const n = instance[0];
    std::int64_t sum = 0;
    std::int32_t last = 0;
    for (std::int32_t i = 0; i < n * n; ++i) {
        sum += std::abs(cells[i] / n - last / n) + std::abs(cells[i] % n - last % n);
        last = cells[i];
    }
    return sum;
}

/// Equal cards on top of the deck vanish; returns whether none remains.
bool is_nested(block const& instance, std::int32_t const* cells) {
    std::vector<std::int32_t> deck;
    for (std::size_t i = 0; i + 1 < instance.size(); ++i) {
        std::int32_t const card = instance[1 + std::size_t(cells[i])];
        if (!deck.empty() && deck.back() == card) {
            deck.pop_back();
        } else {
            deck.push_back(card);
        }
    }
    return deck.empty();
}

TEST(pairs, each_step_keeps_the_order_nested_and_counts_its_moves) {
    for (std::int32_t const step_of_scale : {0, 2, 4, 9}) {
        block const instance = generated(difficulty::scale(step_of_scale), 3);
        testing::garbage_words const scratch(plan::words(view(instance)));
        plan own(view(instance), scratch.get());
        own.prepare();
        own.sweep();
        block before;
        std::int64_t changed = 0;
        for (std::int64_t step = 0; step < 4000; ++step) {
            before.assign(own.cells(), own.cells() + instance[0] * instance[0]);
            own.step({7, 4}, step, 2000);
            ASSERT_TRUE(is_nested(instance, own.cells())) << step;
            ASSERT_EQ(own.moves(), length_of(instance, own.cells())) << step;
            changed += std::equal(before.begin(), before.end(), own.cells()) ? 0 : 1;
        }
        EXPECT_GT(changed, step_of_scale == 0 ? 10 : 300);
    }
}

TEST(pairs, an_order_is_read_from_the_answer_that_it_writes_and_from_no_other_kind) {
    block const instance = generated(difficulty::medium(), 1);
    testing::garbage_words const scratch(2 * plan::words(view(instance)));
    plan own(view(instance), scratch.get());
    own.prepare();
    own.sweep();
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(own.write(answer.data())));
    verdict const found = judge(instance, answer);
    ASSERT_TRUE(found.feasible());
    EXPECT_EQ(found.objective, own.worth());
    plan again(view(instance), scratch.get() + plan::words(view(instance)));
    again.prepare();
    ASSERT_TRUE(again.read(view_answer(view(answer))));
    EXPECT_TRUE(std::equal(own.cells(), own.cells() + 64, again.cells()));

    block shorter(answer.begin(), answer.end() - 1);
    EXPECT_FALSE(again.read(view_answer(view(shorter))));
    block with_put = answer;
    with_put.insert(with_put.begin() + 2, {op_put, op_take});
    EXPECT_TRUE(judge(instance, with_put).feasible());
    EXPECT_FALSE(again.read(view_answer(view(with_put))));
    // A walk along the rows takes all cards, but few vanish.
    deal const on(view(instance));
    block rows(1 + 3 * 64);
    walk way(on, rows.data() + 1);
    rows[0] = answer_flat;
    for (std::int32_t i = 0; i < 64; ++i) {
        way.take(on.snake(i));
    }
    rows.resize(std::size_t(1 + way.count()));
    EXPECT_LT(judge(instance, rows).objective, 64);
    EXPECT_FALSE(again.read(view_answer(view(rows))));
}

TEST(pairs, improve_starts_from_any_feasible_answer_and_takes_up_none_that_is_worse) {
    block const instance = generated(difficulty::easy(), 2);
    solo team;
    testing::garbage_words const scratch(
        std::max(task::improve_scratch_words(view(instance)), task::scratch_words(view(instance))));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer[0] = answer_flat;
    improve_result start;
    start.answer_words = 1;
    improve_result const found =
        task::improve(team, view(instance), answer.data(), start, {0, 500, nullptr}, {3, 3}, scratch.get());
    EXPECT_EQ(found.start_objective, 0);
    block const written(answer.begin(), answer.begin() + std::ptrdiff_t(found.answer_words));
    EXPECT_EQ(judge(instance, written).objective, found.objective);
    EXPECT_GT(found.objective, 16);
}

TEST(pairs, all_runs_of_two_rows_fit_the_limit_and_are_what_the_verifier_says) {
    std::array<std::int32_t, 4> cards{0, 0, 1, 1};
    do {
        block const instance{2, cards[0], cards[1], cards[2], cards[3]};
        testing::garbage_words const scratch(task::exact_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        solve_result const found = task::exact(view(instance), task::default_budget, answer.data(), scratch.get());
        answer.resize(std::size_t(found.answer_words));
        EXPECT_EQ(found.status, baseline_status::optimal);
        EXPECT_EQ(judge(instance, answer).objective, found.objective);
        bool const crosswise = cards[0] == cards[3];
        EXPECT_EQ(found.objective, crosswise ? 16 : 17);
        solve_result const cut = task::exact(view(instance), 5, answer.data(), scratch.get());
        EXPECT_EQ(cut.status, cut.objective == 17 ? baseline_status::optimal : baseline_status::bounded);
    } while (std::next_permutation(cards.begin(), cards.end()));
}

TEST(pairs, the_search_beats_the_greedy_policy) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        block const instance = generated(difficulty::benchmark(), seed);
        testing::garbage_words const scratch(task::exact_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        std::int64_t const greedy = task::exact(view(instance), 0, answer.data(), scratch.get()).objective;
        solve_result const found = task::exact(view(instance), 50'000, answer.data(), scratch.get());
        EXPECT_GT(found.objective, greedy + 500);
        EXPECT_LE(found.objective, found.bound);
    }
}

}  // namespace
}  // namespace optgap
