// Relabelled copies by hand: small symmetries whose labels can be followed one by one.

#include "kernels/text/relabel.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/core/words.hpp"
#include "optgap/optgap.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_futoshiki;
extern optgap::task_text const optgap_text_meeting;
extern optgap::task_text const optgap_text_tsp;

namespace optgap::testing {
namespace {

using words = std::vector<std::int32_t>;

words_view view(words const& row) { return {row.data(), std::int64_t(row.size())}; }

words moved(task_text const& task, words const& labels, words const& answer, direction way = direction::forth) {
    words out;
    answer_labels(task, view(labels), way).append(view(answer), out);
    return out;
}

words twin_json(task_text const& task, char const* instance, draw source, std::string& form) {
    words const original = read_instance(task, instance);
    twin const made = twin_of(task, view(original), source);
    form = write_instance(task, view(made.instance));
    return made.labels;
}

TEST(relabel, points_keep_their_decimals) {
    std::string form;
    char const* const triangle = R"({"points":[[0,0],[0,1.25],[-3,4.5]],"metric":"euc_2d"})";
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        twin_json(optgap_text_tsp, triangle, {seed, 7}, form);
        seen.insert(form);
    }
    EXPECT_EQ(seen.size(), 5u) << "six orders, and a twin is not its original";
    EXPECT_TRUE(seen.contains(R"({"points":[[-3.0,4.5],[0.0,0.0],[0.0,1.25]],"metric":"euc_2d"})"));
}

TEST(relabel, a_tour_names_cities) {
    words const labels{4, 2, 0, 3, 1};
    EXPECT_EQ(moved(optgap_text_tsp, labels, {answer_flat, 0, 1, 2, 3, 0}), (words{answer_flat, 2, 0, 3, 1, 2}));
    EXPECT_EQ(moved(optgap_text_tsp, labels, {answer_flat, 0, 4, -1}), (words{answer_flat, 2, 4, -1}));
    EXPECT_EQ(moved(optgap_text_tsp, labels, {answer_flat, 2, 0, 3}, direction::back), (words{answer_flat, 0, 1, 2}));
    EXPECT_EQ(moved(optgap_text_tsp, labels, {2, 1, 2, 0, 1, 2}), (words{2, 1, 2, 2, 0, 3}));
    for (words const& same : {words{}, words{answer_flat}, words{0}, words{answer_word, 0}}) {
        EXPECT_EQ(moved(optgap_text_tsp, labels, same), same);
    }
}

TEST(relabel, rows_of_a_schedule_name_a_meeting_and_a_room) {
    words const labels{2, 1, 0, 1, 0, 3, 2, 0, 1};  // meetings, attendees, rooms
    EXPECT_EQ(moved(optgap_text_meeting, labels, {1, 3, 0, 1, 1}), (words{1, 3, 1, 0, 1}));
    EXPECT_EQ(moved(optgap_text_meeting, labels, {1, 2, 0, 1}), (words{1, 2, 0, 1})) << "no row of three";
    EXPECT_EQ(moved(optgap_text_meeting, labels, {1, 4, 0, 1, 1, 0}), (words{1, 4, 0, 1, 1, 0}));
}

TEST(relabel, a_square_is_mirrored_turned_and_complemented) {
    words const square{3, 3, 3, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    words const same{3, 0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 2, 0, 1};
    auto const on = [&](std::size_t place, words const& with) {
        words labels = same;
        std::copy(with.begin(), with.end(), labels.begin() + std::ptrdiff_t(place));
        return labels;
    };
    words const rows = on(1, {2, 1, 0});
    words const turned = on(13, {1, 0});
    EXPECT_EQ(moved(optgap_text_futoshiki, same, square), square);
    EXPECT_EQ(moved(optgap_text_futoshiki, rows, square), (words{3, 3, 3, 3, 7, 8, 9, 4, 5, 6, 1, 2, 3}));
    EXPECT_EQ(moved(optgap_text_futoshiki, on(9, {3, 2, 1}), square), (words{3, 3, 3, 3, 3, 2, 1, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(moved(optgap_text_futoshiki, turned, square), (words{3, 3, 3, 3, 1, 4, 7, 2, 5, 8, 3, 6, 9}));
    words both = rows;
    std::copy_n(turned.begin() + 12, 3, both.begin() + 12);
    EXPECT_EQ(moved(optgap_text_futoshiki, both, square), (words{3, 3, 3, 3, 7, 4, 1, 8, 5, 2, 9, 6, 3}))
        << "rows are mirrored first";
    EXPECT_EQ(moved(optgap_text_futoshiki, both, moved(optgap_text_futoshiki, both, square), direction::back), square);
    EXPECT_EQ(moved(optgap_text_futoshiki, rows, {2, 1, 1, 1, 2}), (words{2, 1, 1, 1, 2})) << "no square of that size";
}

TEST(relabel, all_sixteen_symmetries_of_a_square_are_drawn) {
    std::set<std::string> forms;
    std::string form;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        twin_json(optgap_text_futoshiki, R"({"grid":[[0,1,0],[0,0,0],[0,0,0]],"less":[[0,0,1,0]]})", {seed, 0}, form);
        forms.insert(form);
    }
    EXPECT_EQ(forms.size(), 15u) << "all but the original";
}

TEST(relabel, an_instance_that_looks_the_same_under_all_labels_is_its_own_twin) {
    words const equal = read_instance(optgap_text_tsp, R"({"distances":[[0,1,1],[1,0,1],[1,1,0]]})");
    EXPECT_EQ(twin_of(optgap_text_tsp, view(equal), {1, 2}).instance, equal);
}

TEST(relabel, labels_that_are_none_are_refused) {
    for (words const& wrong : {words{}, words{3, 0, 1}, words{2, 0, 0}, words{2, 0, 2}, words{2, -1, 0}, words{-1},
                               words{2, 0, 1, 0}, words{2147483647, 0}, words{1, -2147483647 - 1}}) {
        EXPECT_THROW(answer_labels(optgap_text_tsp, view(wrong), direction::forth), error);
    }
    task_text without = optgap_text_tsp;
    for (symmetry const* none : {static_cast<symmetry const*>(nullptr), &no_symmetry}) {
        without.twins = none;
        words const triangle = read_instance(without, R"({"distances":[[0,1,2],[1,0,3],[2,3,0]]})");
        EXPECT_THROW(twin_of(without, view(triangle), {}), error);
        EXPECT_THROW(answer_labels(without, view(words{}), direction::forth), error);
    }
    EXPECT_TRUE(axis_names(no_symmetry).empty());
}

TEST(relabel, a_batch_takes_rows_of_answers_by_their_instance) {
    engine const by({.where = device::cpu, .threads = 1});
    std::int32_t const tsp = by.task_index("tsp");
    instance_batch two;
    two.append(tsp, read_instance(optgap_text_tsp, R"({"distances":[[0,1,2],[1,0,3],[2,3,0]]})"));
    two.append(tsp, read_instance(optgap_text_tsp, R"({"distances":[[0,4,2],[4,0,3],[2,3,0]]})"));
    relabelled_batch const twins = by.relabel(two.view(), 9);
    csr_words answers;
    answers.append(words{answer_flat, 0, 1, 2});
    std::int32_t const last[] = {1};
    csr_words const there = twins.answers(answers.view(), last);
    EXPECT_EQ(there.words, moved(optgap_text_tsp, words(twins.labels.row(1).begin(), twins.labels.row(1).end()),
                                 {answer_flat, 0, 1, 2}));
    EXPECT_EQ(twins.originals(there.view(), last), answers);
    std::int32_t const none[] = {2};
    EXPECT_THROW(static_cast<void>(twins.answers(answers.view(), none)), error);
    answers.append(words{});
    answers.append(words{});
    EXPECT_THROW(static_cast<void>(twins.answers(answers.view())), error) << "the third answer has no instance";
}

}  // namespace
}  // namespace optgap::testing
