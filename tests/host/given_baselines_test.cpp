#include "host/baselines/given_baselines.hpp"

#include <gtest/gtest.h>

namespace optgap {
namespace {

TEST(given_baselines, are_one_for_an_instance_in_a_group) {
    baseline const optimal{.objective = 10, .bound = 10, .status = baseline_status::optimal};
    baseline anchored = optimal;
    anchored.floor = 30;
    baseline const bounded{.objective = 10, .bound = 8, .status = baseline_status::bounded};
    given_baselines seen;
    instance_hash const here{1, 2}, there{1, 3};
    EXPECT_EQ(seen.conflict(0, 4, here, optimal), "");
    EXPECT_EQ(seen.conflict(0, 4, here, optimal), "");
    EXPECT_EQ(seen.conflict(0, 4, here, anchored), "") << "anchors are computed where they are missing";
    EXPECT_EQ(seen.conflict(1, 4, here, bounded), "") << "another group";
    EXPECT_EQ(seen.conflict(0, 4, there, bounded), "") << "another instance";
    std::string const why = seen.conflict(0, 4, here, bounded);
    EXPECT_NE(why.find("objective 10, bound 10, proven; here objective 10, bound 8, not proven"), std::string::npos)
        << why;
    EXPECT_EQ(seen.conflict(0, 4, here, optimal), "") << "the first stays";
}

}  // namespace
}  // namespace optgap
