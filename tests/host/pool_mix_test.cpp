// A curriculum's share of draws from a pool.

#include "optgap/proposals/pool_mix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "optgap/status.hpp"

namespace optgap {
namespace {

TEST(pool_mix, specs_are_read_and_written_back) {
    pool_mix const mix = parse_pool_mix(R"({"policy": "pool", "scale": 0.25, "inner": "static"})");
    EXPECT_EQ(mix.scale, 0.25);
    EXPECT_EQ(mix.inner.policy, curriculum_policy::fixed);
    EXPECT_EQ(to_json(parse_pool_mix(to_json(mix))), to_json(mix));
    pool_mix const usual = parse_pool_mix("pool");
    EXPECT_EQ(usual.scale, 0.5);
    EXPECT_EQ(usual.inner.policy, curriculum_policy::adaptive);
    EXPECT_EQ(parse_pool_mix(R"({"policy": "pool", "inner": {"policy": "adaptive", "width": 7}})").inner.width, 7);
}

TEST(pool_mix, what_cannot_be_is_refused_by_its_field) {
    for (auto const& [text, named] :
         {std::pair(R"("adaptive")", "curriculum.policy"), std::pair(R"({"policy": "pool", "scale": 1.5})", "scale"),
          std::pair(R"({"policy": "pool", "leader": 1})", "curriculum.leader"),
          std::pair(R"({"policy": "pool", "inner": {"policy": "pool"}})", "curriculum.inner"),
          std::pair(R"({"policy": "pool", "inner": {"policy": "adaptive", "wide": 7}})", "curriculum.wide"),
          std::pair(R"({"policy": "pool", "inner": 3})", "curriculum.inner")}) {
        try {
            static_cast<void>(parse_pool_mix(text));
            ADD_FAILURE() << text << " was read";
        } catch (error const& broken) {
            EXPECT_NE(std::string(broken.what()).find(named), std::string::npos) << broken.what();
        }
    }
}

TEST(pool_mix, shares_are_kept_and_depend_on_seed_step_and_index_alone) {
    for (double const share : {0.0, 0.1, 0.5, 1.0}) {
        pool_mix mix;
        mix.scale = share;
        std::int64_t count = 0;
        std::int64_t const draws = 20'000;
        for (std::int64_t i = 0; i < draws; ++i) {
            count += from_scale(mix, 7, 3, i) ? 1 : 0;
        }
        double const deviation = std::sqrt(double(draws) * share * (1 - share));
        EXPECT_LE(std::abs(double(count) - share * double(draws)), 4 * deviation) << share;
    }
    pool_mix const half;
    std::int64_t same_seed = 0;
    std::int64_t same_step = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(from_scale(half, 7, 3, i), from_scale(half, 7, 3, i));
        same_seed += from_scale(half, 7, 3, i) == from_scale(half, 8, 3, i) ? 1 : 0;
        same_step += from_scale(half, 7, 3, i) == from_scale(half, 7, 4, i) ? 1 : 0;
    }
    EXPECT_LT(std::abs(same_seed - 500), 80);
    EXPECT_LT(std::abs(same_step - 500), 80);
}

}  // namespace
}  // namespace optgap
