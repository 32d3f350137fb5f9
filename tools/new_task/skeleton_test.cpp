#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "kernels/core/team.hpp"
#include "kernels/tasks/skeleton/skeleton.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_skeleton;

namespace {

using namespace optgap;
using optgap::tasks::skeleton::task;
using block = std::vector<std::int32_t>;

block const small{4, 2, 4, 9, 2, 7};

words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

verdict verify(block const& instance, block const& answer) {
    solo team;
    block scratch(std::size_t(task::scratch_words(view(instance))), -1);
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
}

TEST(skeleton, accepts_the_worked_example) {
    EXPECT_EQ(verify(small, {answer_flat, 1, 3}), (verdict{code_ok, -1, 16, 0, 4}));
    EXPECT_EQ(verify(small, {answer_flat, 2}), (verdict{code_ok, -1, 2, 0, 4}));
}

TEST(skeleton, names_the_first_broken_rule_and_where) {
    EXPECT_EQ(verify(small, {answer_word, 0}), (verdict{code_unparsable, -1, 0, 4, 4}));
    EXPECT_EQ(verify(small, {1, 2, 1, 3}), (verdict{code_bad_depth, -1, 0, 4, 4}));
    EXPECT_EQ(verify(small, {answer_flat}), (verdict{code_empty, -1, 0, 4, 4}));
    EXPECT_EQ(verify(small, {answer_flat, 0, 4, INT_MIN}), (verdict{code_out_of_range, 1, 0, 4, 4}));
    EXPECT_EQ(verify(small, {answer_flat, 3, 1, 3}), (verdict{code_repeated, 2, 0, 4, 4}));
    EXPECT_EQ(verify(small, {answer_flat, 0, 1, 3}), (verdict{task::code_too_many, 2, 0, 1, 4}));
}

TEST(skeleton, solves_ties_by_the_smallest_position) {
    block const ties{5, 3, 6, 6, 9, 6, 6};
    block answer(4);
    solve_result const found = task::exact(view(ties), 0, answer.data(), nullptr);
    EXPECT_EQ(answer, (block{answer_flat, 0, 1, 2}));
    EXPECT_EQ(found.objective, 21);
    EXPECT_EQ(found.bound, 21);
    EXPECT_EQ(found.status, baseline_status::optimal);
}

TEST(skeleton, improves_by_adding_and_exchanging) {
    solo team;
    block answer{answer_flat, 2, 0};
    answer.resize(3);
    block scratch(std::size_t(task::scratch_words(view(small))), -1);
    improve_result const found =
        task::improve(team, view(small), answer.data(), {.answer_words = 2}, {0, 10}, {}, scratch.data());
    EXPECT_EQ(found.start_objective, 2);
    EXPECT_EQ(found.objective, 16);
    EXPECT_EQ(found.moves, 2);
    EXPECT_EQ(found.answer_words, 3);
}

TEST(skeleton, refuses_json_that_breaks_a_rule) {
    auto const read = [](char const* text) { return optgap::testing::read_instance(optgap_text_skeleton, text); };
    EXPECT_EQ(read(R"({"pick": 2, "values": [4, 9, 2, 7]})"), small);
    for (char const* text : {"[]", R"({"pick": 1})", R"({"values": [1]})", R"({"pick": 0, "values": [1]})",
                             R"({"pick": 2, "values": [1]})", R"({"pick": 1, "values": []})",
                             R"({"pick": 1, "values": [0]})", R"({"pick": 1, "values": [1.0]})",
                             R"({"pick": 1, "values": ["1"]})", R"({"pick": 1, "values": [18446744073709551615]})"}) {
        EXPECT_THROW(read(text), field_error) << text;
    }
}

TEST(skeleton, explains_every_code) {
    for (block const& answer : {block{answer_flat, 1}, block{answer_word, 0}, block{1, 1, 0}, block{answer_flat},
                                block{answer_flat, 9}, block{answer_flat, 1, 1}, block{answer_flat, 0, 1, 2}}) {
        std::string const sentence = optgap_text_skeleton.explain(view(small), view(answer), verify(small, answer));
        EXPECT_TRUE(sentence.ends_with('.')) << sentence;
        EXPECT_EQ(sentence.find("format"), std::string::npos) << sentence;
    }
}

}  // namespace
