// Answers that are not trees, as starts of a search.

#include "kernels/tasks/steiner_tree/steiner_tree.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using tree_task = tasks::steiner_tree::task;

TEST(steiner_tree, a_search_takes_answers_with_circles_repeats_and_foreign_values) {
    // Terminals 0, 1, 2 around vertex 3: distance 2 from it to each, 5 between each two. Vertices 4 and 5 are joined by
    // one edge, separate from the others.
    testing::wide_block words{6};
    std::int32_t const rows[6][6] = {{0, 5, 5, 2, 9, 0}, {5, 0, 5, 2, 0, 0}, {5, 5, 0, 2, 0, 0},
                                     {2, 2, 2, 0, 0, 0}, {9, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0}};
    for (auto const& row : rows) {
        words.insert(words.end(), std::begin(row), std::end(row));
    }
    words.insert(words.end(), {3, 0, 1, 2});
    ASSERT_EQ(tree_task::check(testing::wide_view(words)), nullptr);
    EXPECT_EQ(testing::searched<tree_task>(words, {2, 2, 2, 0, 1, 1, 2}, 20), 6);
    EXPECT_EQ(testing::searched<tree_task>(words, {4, 2, 2, 2, 2, 0, 1, 1, 2, 2, 0, 4, 5}, 20), 6);
    EXPECT_EQ(testing::searched<tree_task>(words, {3, 2, 2, 2, 0, 1, 1, 2, 1, 0}, 20), 6);
}

}  // namespace
}  // namespace optgap
