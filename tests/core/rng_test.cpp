#include "kernels/core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/core/team.hpp"
#include "tests/support/philox_twin.hpp"

namespace optgap {
namespace {

void expect_block(philox_block block, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    EXPECT_EQ(block.word[0], a);
    EXPECT_EQ(block.word[1], b);
    EXPECT_EQ(block.word[2], c);
    EXPECT_EQ(block.word[3], d);
}

// The known-answer vectors of Random123 for philox4x32-10.
TEST(rng, gives_the_published_vectors) {
    expect_block(philox(0, 0, 0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    expect_block(philox(~0ull, ~0u, ~0u, ~0u, ~0u), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    expect_block(philox(0x299f31d0a4093822ull, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), 0xd16cfe09, 0x94fdcceb,
                 0x5001e420, 0x24126ea1);
}

TEST(rng, gives_the_bits_of_another_library) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        std::uint64_t const key = random();
        std::array<std::uint32_t, 4> counter{};
        std::generate(counter.begin(), counter.end(), [&] { return std::uint32_t(random()); });
        auto const expected = testing::twin_philox(key, counter);
        if (!expected) {
            GTEST_SKIP() << "Random123 is not installed";
        }
        philox_block const found = philox(key, counter[0], counter[1], counter[2], counter[3]);
        ASSERT_TRUE(std::equal(found.word, found.word + 4, expected->begin())) << key;
    }
}

TEST(rng, puts_seed_block_purpose_and_domain_where_the_layout_says) {
    draw const source{0x299f31d0a4093822ull, 0x13198a2e};
    philox_block const expected = philox(0x299f31d0a4093822ull, 7, 5, 0x13198a2e, 0);
    for (std::uint32_t k = 0; k < 4; ++k) {
        EXPECT_EQ(random_word(source, 5, 28 + k), expected.word[k]);
    }
}

TEST(rng, ranges_include_both_ends_and_nothing_else) {
    EXPECT_EQ(to_range(0, 10, 100), 10);
    EXPECT_EQ(to_range(0xffffffffu, 10, 100), 100);
    EXPECT_EQ(to_range(0xffffffffu, -5, -5), -5);
    EXPECT_EQ(to_range(0xffffffffu, INT32_MIN, INT32_MAX), INT32_MAX);
    EXPECT_EQ(to_range(0, INT32_MIN, INT32_MAX), INT32_MIN);
    EXPECT_EQ(to_range(0x80000000u, 0, 1), 1);
    EXPECT_EQ(to_range(0x7fffffffu, 0, 1), 0);
}

TEST(rng, a_stream_reads_the_purpose_s_words_in_order) {
    draw const source{42, 9};
    draw_stream stream(source, 3);
    for (std::uint32_t i = 0; i < 11; ++i) {
        EXPECT_EQ(stream.next(), random_word(source, 3, i));
    }
}

TEST(rng, fill_uniform_writes_the_same_words_as_single_draws) {
    draw const source{42, 9};
    for (std::int64_t count : {0, 1, 3, 4, 5, 63, 64, 67, 200}) {
        std::vector<std::int32_t> out(std::size_t(count) + 1, -1);
        solo team;
        fill_uniform(team, source, 2, 10, 100, out.data(), count);
        for (std::int64_t i = 0; i < count; ++i) {
            EXPECT_EQ(out[std::size_t(i)], uniform(source, 2, std::uint32_t(i), 10, 100));
        }
        EXPECT_EQ(out.back(), -1) << "wrote past the end";
    }
}

TEST(rng, a_shuffle_is_a_permutation_and_all_of_six_appear) {
    std::vector<std::vector<std::int32_t>> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::vector<std::int32_t> values(3);
        std::iota(values.begin(), values.end(), 0);
        draw_stream stream({seed, 1}, 0);
        shuffle(stream, values.data(), 3);
        seen.push_back(values);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()) - seen.begin(), 6);
}

}  // namespace
}  // namespace optgap
