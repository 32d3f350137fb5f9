#include <gtest/gtest.h>

#include "optgap/advantage.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

TEST(advantage_spec, reads_names_and_objects_and_refuses_the_rest) {
    EXPECT_THROW(parse_advantage_spec("ppo"), error);
    EXPECT_THROW(parse_advantage_spec(R"({"epsilon":-1})"), error);
    EXPECT_EQ(parse_advantage_spec("dr_grpo").form, estimator::dr_grpo);
    EXPECT_EQ(parse_advantage_spec(R"({"estimator":"grpo","epsilon":1e-4})").epsilon, 1e-4);
}

}  // namespace
}  // namespace optgap
