// The plant of queens: the classical placement is used if min-conflicts fails, which need not occur for any drawn
// board.

#include <gtest/gtest.h>

#include "kernels/tasks/queens/queens.hpp"

namespace optgap {
namespace {

using namespace tasks::queens;

TEST(queens, the_classical_placement_is_peaceful_on_boards_of_4_to_64_rows) {
    for (std::int32_t n = 4; n <= 64; ++n) {
        placement board;
        board.n = n;
        construct(board);
        std::uint64_t columns = 0;
        for (std::int32_t row = 0; row < n; ++row) {
            columns |= bit(board.column[row]);
        }
        EXPECT_EQ(columns, first_bits(n)) << n;
        EXPECT_TRUE(board.peaceful()) << n;
    }
}

TEST(queens, min_conflicts_makes_peace_from_most_permutations_and_says_so) {
    std::int32_t found = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        placement board;
        board.n = 4 + std::int32_t(seed);
        draw_stream stream({seed, 1}, 0);
        for (std::int32_t row = 0; row < board.n; ++row) {
            board.column[row] = row;
        }
        board.count();
        EXPECT_FALSE(board.peaceful());
        bool const peace = make_peace(stream, board);
        EXPECT_EQ(peace, board.peaceful());
        found += peace ? 1 : 0;
    }
    EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace optgap
