#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/reward/estimator.hpp"
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

TEST(advantage_spec, every_estimator_and_preset_survives_its_own_json) {
    ASSERT_GE(listed_estimators().size(), 20U);
    for (estimator_entry const& each : listed_estimators()) {
        std::vector<std::string> names{each.info->name};
        for (estimator_preset const& preset : each.info->presets) {
            names.emplace_back(preset.name);
        }
        for (std::string const& name : names) {
            advantage_spec const spec = parse_advantage_spec(name);
            EXPECT_EQ(spec.form, each.form) << name;
            std::string const once = to_json(spec);
            EXPECT_EQ(to_json(parse_advantage_spec(once)), once) << name;
        }
    }
}

TEST(advantage_spec, enumerators_name_their_estimators) {
    EXPECT_STREQ(estimator_of(estimator::grpo).info->name, "grpo");
    EXPECT_STREQ(estimator_of(estimator::rs_grpo_adaptive).info->name, "rs_grpo_adaptive");
    EXPECT_THROW(static_cast<void>(estimator_of(estimator(77))), error);
}

TEST(advantage_spec, a_parameter_of_another_estimator_is_refused_with_its_owners) {
    try {
        static_cast<void>(parse_advantage_spec(R"({"estimator":"grpo","weights":{"quality":1}})"));
        FAIL() << "grpo has no weights";
    } catch (error const& problem) {
        EXPECT_NE(std::string(problem.what()).find("advantage.weights belongs to decoupled and gdpo"),
                  std::string::npos)
            << problem.what();
    }
}

}  // namespace
}  // namespace optgap
