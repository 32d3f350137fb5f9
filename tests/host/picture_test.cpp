// Every task of the tree draws its instances.

#include <gtest/gtest.h>

#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"

namespace optgap {
namespace {

TEST(picture, every_task_draws_its_instances_with_and_without_an_answer) {
    engine const by({.where = device::cpu, .threads = 1});
    for (std::size_t t = 0; t < by.tasks().size(); ++t) {
        auto const draw = registry()[t].text->picture;
        ASSERT_NE(draw, nullptr) << by.tasks()[t].name;
        for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(0)}) {
            SCOPED_TRACE(std::string(by.tasks()[t].name) + " at " + level_name(level));
            instance_spec const spec{std::int32_t(t), level, split::test, 5};
            instance_batch const instances = by.generate({&spec, 1});
            csr_words const answers = by.solve(instances.view()).answers;
            auto const instance = instances.blocks.row(0);
            auto const answer = answers.row(0);
            words_view const words{instance.data(), std::int64_t(instance.size())};
            std::string const solved = draw(words, {answer.data(), std::int64_t(answer.size())});
            std::string const bare = draw(words, {answer.data(), 0});
            EXPECT_TRUE(solved.starts_with("<svg ") && solved.ends_with("</svg>\n"));
            EXPECT_TRUE(bare.starts_with("<svg ") && bare.ends_with("</svg>\n"));
            EXPECT_NE(solved, bare) << "the answer does not show";
            EXPECT_EQ(solved.find("nan"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace optgap
