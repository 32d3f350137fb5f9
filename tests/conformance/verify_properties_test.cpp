// Property tests of verification, for every task of the registry.

#include <algorithm>

#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class verify_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, verify_properties, ::testing::ValuesIn(all_tasks()), task_name);

struct rows {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

rows many_rows(std::int32_t task, std::int64_t per_level, std::int64_t mutations) {
    rows all;
    std::mt19937_64 random(std::uint64_t(task) + 1);
    all.instances = small_instances(task, per_level);
    for (difficulty level : {difficulty::medium(), difficulty::benchmark()}) {
        instance_batch const more = instances_of(task, level, per_level);
        for (std::int64_t r = 0; r < more.size(); ++r) {
            all.instances.append(task, more.blocks.row(r));
        }
    }
    for (std::int64_t i = 0; i < all.instances.size(); ++i) {
        for (words const& answer : answers_for(task, all.instances.blocks.row(i), mutations, random)) {
            all.answers.append(answer);
            all.instance_of.push_back(std::int32_t(i));
        }
    }
    return all;
}

TEST_P(verify_properties, the_verifier_says_what_the_reference_says) {
    rows const all = many_rows(GetParam(), 6, repeats(120));
    std::vector<verdict> const found = cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    oracle const& twin = *oracles()[std::size_t(GetParam())];
    std::int64_t feasible = 0;
    for (std::size_t r = 0; r < found.size(); ++r) {
        verdict const expected =
            twin.verify(all.instances.blocks.row(all.instance_of[r]), all.answers.row(std::int64_t(r)));
        ASSERT_EQ(found[r].code, expected.code) << answer_text(all.answers.row(std::int64_t(r)));
        EXPECT_EQ(found[r].where, expected.where) << answer_text(all.answers.row(std::int64_t(r)));
        EXPECT_EQ(found[r].feasible() ? found[r].objective : 0, expected.feasible() ? expected.objective : 0);
        EXPECT_EQ(found[r].violation, expected.violation) << answer_text(all.answers.row(std::int64_t(r)));
        EXPECT_EQ(found[r].violation_max, expected.violation_max);
        feasible += found[r].feasible() ? 1 : 0;
    }
    EXPECT_GT(feasible, std::int64_t(found.size()) / 40) << "the sample has too few feasible answers to mean anything";
    EXPECT_LT(feasible, std::int64_t(found.size()) * 39 / 40) << "the sample has too few infeasible answers";
}

TEST_P(verify_properties, violation_is_zero_only_for_feasible_answers_and_stays_in_range) {
    rows const all = many_rows(GetParam(), 3, repeats(60));
    std::vector<verdict> const found = cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    for (std::size_t r = 0; r < found.size(); ++r) {
        EXPECT_GE(found[r].violation_max, 1);
        EXPECT_LE(found[r].violation, found[r].violation_max);
        EXPECT_EQ(found[r].violation == 0, found[r].feasible()) << answer_text(all.answers.row(std::int64_t(r)));
        EXPECT_TRUE(found[r].feasible() ? found[r].where == -1 : found[r].where >= -1);
    }
}

TEST_P(verify_properties, a_row_does_not_depend_on_its_neighbours_or_on_threads) {
    rows const all = many_rows(GetParam(), 2, 30);
    std::vector<verdict> const together =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    csr_words reversed;
    std::vector<std::int32_t> reversed_of;
    for (std::int64_t r = all.answers.rows() - 1; r >= 0; --r) {
        reversed.append(all.answers.row(r));
        reversed_of.push_back(all.instance_of[std::size_t(r)]);
    }
    engine const threaded({.where = device::cpu, .threads = 4});
    std::vector<verdict> backwards = threaded.verify(all.instances.view(), reversed.view(), reversed_of);
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(together, backwards);
}

TEST_P(verify_properties, every_instruction_set_gives_the_same_verdict) {
    if (best_instruction_set() == 0) {
        GTEST_SKIP() << one_instruction_set;
    }
    rows const all = many_rows(GetParam(), 2, 30);
    task_entry const& entry = registry()[std::size_t(GetParam())];
    for (std::int64_t r = 0; r < all.answers.rows(); ++r) {
        auto const instance = all.instances.blocks.row(all.instance_of[std::size_t(r)]);
        auto const answer = all.answers.row(r);
        words_view const view{instance.data(), std::int64_t(instance.size())};
        words scratch(std::size_t(entry.builds[0]->scratch_words(view)) + 16, -1);
        verdict const base =
            entry.builds[0]->verify(view, {answer.data(), std::int64_t(answer.size())}, scratch.data());
        verdict const best = entry.builds[best_instruction_set()]->verify(
            view, {answer.data(), std::int64_t(answer.size())}, scratch.data());
        EXPECT_EQ(base, best);
    }
}

TEST_P(verify_properties, hostile_values_are_rejected) {
    instance_batch const batch = small_instances(GetParam(), 1);
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        instance_batch one;
        one.append(GetParam(), batch.blocks.row(r));
        csr_words answers;
        answers.append(words{answer_flat, INT32_MIN});
        answers.append(words{answer_flat, INT32_MAX, INT32_MAX});
        words same(100001, 1);
        same[0] = answer_flat;
        answers.append(same);
        answers.append(words{3, 1, 1, 1, 0, 0, 0});
        answers.append(words{answer_word, 0});
        std::vector<std::int32_t> const of(5, 0);
        for (verdict const& found : cpu_engine().verify(one.view(), answers.view(), of)) {
            EXPECT_FALSE(found.feasible());
        }
    }
}

}  // namespace
}  // namespace optgap::testing
