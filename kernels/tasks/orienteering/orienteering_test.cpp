// Trips in other spellings than those of the policies, as starts of a search.

#include "kernels/tasks/orienteering/orienteering.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using trip_task = tasks::orienteering::task;

TEST(orienteering, a_search_takes_trips_that_name_place_0_anywhere) {
    // Places (0, 0), (3, 0), (3, 4), (0, 4), prizes 0, 5, 7, 1: the tour of all has length 14, that of the first three
    // 12.
    testing::wide_block const wide{4, 14, 0, 0, 3, 0, 3, 4, 0, 4, 0, 5, 7, 1};
    testing::wide_block const narrow{4, 12, 0, 0, 3, 0, 3, 4, 0, 4, 0, 5, 7, 1};
    for (testing::wide_block const& start :
         {testing::wide_block{answer_flat}, {0}, {answer_flat, 0}, {answer_flat, 0, 3, 0}, {answer_flat, 2, 0, 3}}) {
        EXPECT_EQ(testing::searched<trip_task>(wide, start, 40), 13);
    }
    EXPECT_EQ(testing::searched<trip_task>(narrow, {answer_flat, 3}, 40), 12);
    EXPECT_EQ(testing::searched<trip_task>(narrow, {answer_flat, 1, 0}, 40), 12);
}

}  // namespace
}  // namespace optgap
