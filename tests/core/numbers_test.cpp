#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/core/bitset.hpp"
#include "kernels/core/checked.hpp"
#include "kernels/core/words.hpp"

namespace optgap {
namespace {

TEST(checked, sums_refuse_to_leave_int64) {
    std::int64_t out = 5;
    EXPECT_TRUE(checked_add(INT64_MAX - 1, 1, out));
    EXPECT_EQ(out, INT64_MAX);
    EXPECT_FALSE(checked_add(INT64_MAX, 1, out));
    EXPECT_FALSE(checked_add(INT64_MIN, -1, out));
    EXPECT_EQ(out, INT64_MAX) << "a refused sum leaves the result alone";
}

TEST(checked, products_refuse_to_leave_int64) {
    std::int64_t out = 0;
    EXPECT_TRUE(checked_multiply(INT64_MAX, 1, out));
    EXPECT_EQ(out, INT64_MAX);
    EXPECT_TRUE(checked_multiply(0, INT64_MAX, out));
    EXPECT_EQ(out, 0);
    EXPECT_FALSE(checked_multiply(std::int64_t(1) << 32, std::int64_t(1) << 31, out));
}

TEST(checked, integer_square_root_is_the_floor) {
    for (std::int64_t root : {0ll, 1ll, 2ll, 3ll, 1000ll, 46340ll, 2147483647ll}) {
        EXPECT_EQ(integer_sqrt(root * root), root);
        EXPECT_EQ(integer_sqrt(root * root + 2 * root), root) << "the largest number below the next square";
        if (root > 0) {
            EXPECT_EQ(integer_sqrt(root * root - 1), root - 1);
        }
    }
}

TEST(bitset, first_bits_covers_every_count) {
    EXPECT_EQ(first_bits(0), 0u);
    EXPECT_EQ(first_bits(1), 1u);
    EXPECT_EQ(popcount(first_bits(63)), 63);
    EXPECT_EQ(popcount(first_bits(64)), 64);
    EXPECT_EQ(lowest(bit(63)), 63);
}

TEST(bitset, first_out_of_range_names_the_smallest_index) {
    solo team;
    std::vector<std::int32_t> const values{0, 9, 10, -1};
    EXPECT_EQ(first_out_of_range(team, values.data(), 4, 10), 2);
    EXPECT_EQ(first_out_of_range(team, values.data(), 2, 10), -1);
    EXPECT_EQ(first_out_of_range(team, values.data(), 4, 100), 3);
}

TEST(bitset, first_repeat_is_linear_on_long_answers) {
    solo team;
    std::vector<std::int32_t> values(1'000'000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::int32_t(i);
    }
    std::vector<std::uint32_t> seen(values.size() / 32 + 1, ~0u);
    EXPECT_EQ(first_repeat(team, values.data(), 1'000'000, seen.data(), 1'000'000), -1);
    values.back() = 3;
    EXPECT_EQ(first_repeat(team, values.data(), 1'000'000, seen.data(), 1'000'000), 999'999);
}

TEST(words, an_answer_block_comes_apart_as_it_was_put_together) {
    std::vector<std::int32_t> const flat{answer_flat, 5, 6};
    answer_view const list = view_answer({flat.data(), 3});
    EXPECT_TRUE(list.is_flat());
    EXPECT_EQ(list.count, 2);
    EXPECT_EQ(list.values[1], 6);
    EXPECT_FALSE(list.is_rows());

    std::vector<std::int32_t> const rows{2, 1, 2, 7, 8, 9};
    answer_view const nested = view_answer({rows.data(), 6});
    EXPECT_TRUE(nested.is_rows());
    EXPECT_EQ(nested.row_count(), 2);
    EXPECT_EQ(nested.row_lengths[1], 2);
    EXPECT_EQ(nested.count, 3);
    EXPECT_EQ(nested.values[0], 7);

    std::vector<std::int32_t> const empty{answer_flat};
    EXPECT_TRUE(view_answer({empty.data(), 1}).is_rows()) << "the empty list is a list of no rows as well";
    std::vector<std::int32_t> const word{answer_word, 0};
    EXPECT_TRUE(view_answer({word.data(), 2}).is_word());
    answer_view const none = view_answer({});
    EXPECT_TRUE(none.is_rows() && none.is_flat()) << "a block of no words is the empty list";
    EXPECT_EQ(none.count, 0);
    EXPECT_EQ(none.row_count(), 0);
}

}  // namespace
}  // namespace optgap
