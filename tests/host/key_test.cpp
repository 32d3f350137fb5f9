#include "optgap/key.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "optgap/status.hpp"

namespace optgap {
namespace {

TEST(key, reads_and_writes_the_contract_s_example) {
    instance_key const key = parse_key("tsp@1:train:hard:42#9f3a1c2e");
    EXPECT_EQ(key.task, "tsp");
    EXPECT_EQ(key.version, 1);
    EXPECT_EQ(key.part, split::train);
    EXPECT_EQ(key.level, difficulty::hard());
    EXPECT_EQ(key.seed, 42u);
    EXPECT_EQ(key.style, 0);
    EXPECT_EQ(key.hash, "9f3a1c2e");
    EXPECT_EQ(to_string(key), "tsp@1:train:hard:42#9f3a1c2e");
}

TEST(key, every_well_formed_text_survives_the_round_trip) {
    for (char const* text : {"tsp@1:test:d0:0", "knapsack@12:val:d37:18446744073709551615:s3#00000000",
                             "independent_set@1:x:0123456789abcdef0123456789abcdef", "a@0:train:benchmark:7:s11"}) {
        EXPECT_EQ(to_string(parse_key(text)), text);
    }
}

TEST(key, refuses_what_is_not_a_key_and_says_what_was_expected) {
    for (char const* text : {"",
                             "tsp",
                             "tsp@1",
                             "@1:train:hard:1",
                             "tsp@:train:hard:1",
                             "tsp@-1:train:hard:1",
                             "tsp@01:train:hard:1",
                             "tsp@1:train:hard",
                             "tsp@1:train:hard:",
                             "tsp@1:train:hard:-1",
                             "tsp@1:train:hard:+1",
                             "tsp@1:train:hard:1.0",
                             "tsp@1:train:hard:18446744073709551616",
                             "tsp@1:train:hardest:1",
                             "tsp@1:training:hard:1",
                             "tsp@1:train:d:1",
                             "tsp@1:train:d-1:1",
                             "tsp@1:train:d1000001:1",
                             "tsp@1:train:hard:1:3",
                             "tsp@1:train:hard:1:s",
                             "tsp@1:train:hard:1#",
                             "tsp@1:train:hard:1#9F3A1C2E",
                             "tsp@1:train:hard:1#9f3a1c2",
                             "tsp@1:x:12",
                             "tsp@1:x:0123456789ABCDEF0123456789abcdef",
                             "tsp@1:train:hard:1:",
                             "tsp@1:train:hard:1:#9f3a1c2e",
                             "tsp@1:train:hard:1:s3:",
                             "tsp@1:train:hard:1:s1:s2",
                             "tsp@1:train:hard:1 "}) {
        try {
            parse_key(text);
            ADD_FAILURE() << text;
        } catch (field_error const& problem) {
            EXPECT_NE(std::string(problem.what()).find("xpected"), std::string::npos) << problem.what();
        }
    }
}

TEST(key, levels_have_one_spelling) {
    for (char const* name : {"easy", "medium", "hard", "benchmark", "d0", "d1000000"}) {
        EXPECT_EQ(level_name(parse_level(name)), name);
    }
    EXPECT_THROW(parse_level("d007"), field_error);
    EXPECT_THROW(parse_level("Easy"), field_error);
}

// XXH3-128 of the empty input is published with the algorithm.
TEST(key, hashes_words_with_xxh3_128) {
    EXPECT_EQ(hex32(hash_words({})), "99aa06d3014798d86001c324468d497f");
    std::vector<std::int32_t> const a{1, 2, 3};
    std::vector<std::int32_t> const b{1, 2, 4};
    EXPECT_NE(hash_words(a), hash_words(b));
    EXPECT_EQ(hex8(hash_words(a)), hex32(hash_words(a)).substr(0, 8));
}

TEST(key, random_domains_differ_by_every_part) {
    std::uint32_t const base = random_domain("tsp", 1, split::train, difficulty::hard());
    EXPECT_NE(base, random_domain("tsq", 1, split::train, difficulty::hard()));
    EXPECT_NE(base, random_domain("tsp", 2, split::train, difficulty::hard()));
    EXPECT_NE(base, random_domain("tsp", 1, split::val, difficulty::hard()));
    EXPECT_NE(base, random_domain("tsp", 1, split::train, difficulty::scale(2)));
}

}  // namespace
}  // namespace optgap
