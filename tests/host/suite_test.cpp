// Suites from C++: levels as text, shares, names, and what training refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/suites/suite_files.hpp"
#include "host/suites/suite_json.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/status.hpp"
#include "optgap/suites/suite.hpp"

namespace optgap::testing {
namespace {

/// The error of a call; empty when it succeeds.
template <class Call>
std::string refusal(Call const& call) {
    try {
        call();
    } catch (error const& refused) {
        return refused.what();
    }
    return {};
}

bool says(std::string const& sentence, std::string_view part) { return sentence.find(part) != std::string::npos; }

TEST(suite, levels_as_text_come_back) {
    for (std::string const text : {"benchmark", "d3", "d0..d4", "easy,medium,hard", "d0..d2,d4,hard", "d7..d8"}) {
        EXPECT_EQ(levels_name(parse_levels(text)), text);
    }
    EXPECT_EQ(levels_name(parse_levels("d0,d1,d2")), "d0..d2");
    EXPECT_EQ(parse_levels("d5..d5").size(), 1U);
    EXPECT_EQ(parse_levels("d0..d999").size(), 1000U);
    for (std::string const text :
         {"", "d0,", "d4..d0", "easy..hard", "d0..", "..d3", "d0...d3", "d0..d1000", "d0,d0", "d1..d3,d2"}) {
        EXPECT_THROW((void)parse_levels(text), field_error) << text;
    }
}

TEST(suite, a_count_is_spread_evenly_and_wholly) {
    std::vector<difficulty> const levels = parse_levels("d0..d4");
    for (std::int64_t count = 0; count < 40; ++count) {
        std::int64_t sum = 0, most = 0, least = count;
        for (level_share const share : spread_evenly(levels, count)) {
            sum += share.count;
            most = std::max(most, share.count);
            least = std::min(least, share.count);
        }
        EXPECT_EQ(sum, count);
        EXPECT_LE(most - least, 1);
    }
    EXPECT_EQ(spread_evenly(levels, 7)[1], (level_share{difficulty::scale(1), 2}));
    EXPECT_EQ(spread_evenly(levels, 7)[2], (level_share{difficulty::scale(2), 1}));
}

TEST(suite, every_file_of_the_build_is_a_suite_of_its_name_and_frozen) {
    ASSERT_EQ(suite_names().size(), suite_files().size() + 1);
    for (suite_file const& file : suite_files()) {
        std::string const name(file.name.substr(0, file.name.size() - 5));
        suite const found = find_suite(name);
        EXPECT_EQ(found.name, name);
        EXPECT_FALSE(found.title.empty() || found.source.empty());
        EXPECT_NO_THROW((void)read_suite(file.text, "file", true));
        std::string edited(file.text);
        std::size_t const at = edited.find("rlve/");
        ASSERT_NE(at, std::string::npos);
        edited.insert(at + 5, "X");
        EXPECT_TRUE(says(refusal([&] { (void)read_suite(edited, "file", true); }), "a frozen list does not change"));
    }
    std::string const without =
        R"({"suite": "a", "role": "test", "levels": "d0", "count": 1, "entries": [{"task": "b"}]})";
    EXPECT_TRUE(says(refusal([&] { (void)read_suite(without, "file", true); }), "file: hash: is ''"));
    EXPECT_NO_THROW((void)read_suite(without, "file", false));
}

TEST(suite, one_with_the_digits_of_its_hash_is_this_build_s) {
    suite const whole = find_suite("rlve_ood");
    EXPECT_EQ(find_suite("rlve_ood#" + whole.hash).hash, whole.hash);
    EXPECT_EQ(find_suite("rlve_ood#" + whole.hash.substr(0, 8)).hash, whole.hash);
    EXPECT_TRUE(says(refusal([&] { (void)find_suite("rlve_ood#" + whole.hash.substr(0, 7)); }), "the first 8 digits"));
    EXPECT_TRUE(says(refusal([&] { (void)find_suite("rlve_ood#"); }), "the first 8 digits"));
}

TEST(suite, a_task_is_held_out_under_each_name_that_a_suite_knows) {
    for (suite_entry const& entry : find_suite("rlve_ood").entries) {
        EXPECT_EQ(entry.known[0], entry.task);
        for (std::string const& name : entry.known) {
            std::vector<std::string> const suites{"rlve_c4", "rlve_ood"}, tasks{"none/other", name};
            std::string const said = refusal([&] { refuse_held_out(suites, tasks, "here"); });
            EXPECT_TRUE(says(said, "here: task " + name + " is held out: the suite rlve_ood tests on it")) << said;
        }
    }
    std::vector<std::string> const suites{"rlve_ood"}, all{"default"}, tasks{"rlve/Sorting", "none/other"};
    EXPECT_EQ(refusal([&] { refuse_held_out(suites, tasks, "here"); }), "");
    EXPECT_TRUE(says(refusal([&] { refuse_held_out(all, tasks, "here"); }), "here: the suite default keeps problems"));
}

TEST(suite, a_curriculum_s_spec_keeps_what_it_holds_out) {
    curriculum_spec const spec = parse_curriculum_spec(R"({"policy": "window", "held_out": "rlve_ood"})");
    EXPECT_EQ(spec.held_out, std::vector<std::string>{"rlve_ood"});
    EXPECT_EQ(parse_curriculum_spec(to_json(spec)).held_out, spec.held_out);
    EXPECT_FALSE(says(to_json(parse_curriculum_spec("window")), "held_out"));
    curriculum plan(spec, {{.name = "rlve/Sorting"}}, 7);
    curriculum free(parse_curriculum_spec("window"), {{.name = "rlve/Sorting"}}, 7);
    EXPECT_EQ(plan.draw(5).seed, free.draw(5).seed);
    EXPECT_TRUE(says(refusal([&] { curriculum refused(spec, {{.name = "rlve/CRT"}}, 7); }),
                     "curriculum.held_out: task rlve/CRT"));
}

}  // namespace
}  // namespace optgap::testing
