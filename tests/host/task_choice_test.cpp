// The tasks that a word names, and the errors of a wrong one.

#include <gtest/gtest.h>

#include <string>

#include "host/specs/name_pattern.hpp"
#include "optgap/status.hpp"
#include "optgap/task_choice.hpp"

namespace optgap::testing {
namespace {

task_info made(std::string_view name, task_class kind, std::string_view family,
               std::vector<std::string_view> const& tags = {}, std::vector<std::string_view> const& rlve = {}) {
    task_info info;
    info.name = name;
    info.version = 2;
    info.kind = kind;
    info.family = family;
    info.tags = tags;
    info.rlve = rlve;
    return info;
}

std::vector<task_info> const known_tasks{
    made("tsp", task_class::optimise, "routes", {"geometry"}),
    made("sudoku", task_class::satisfy, "cells", {"grid"}, {"Sudoku"}),
    made("set_cover", task_class::optimise, "subset", {"covering"}, {"SetCover"}),
    made("sorting", task_class::exact, "exact", {"list"}, {"Sorting"}),
    made("vertex_cover", task_class::optimise, "subset", {"graph", "covering"}, {"Minimum_VertexCover"}),
};

using indices = std::vector<std::int32_t>;

TEST(task_choice, a_word_names_one_task_or_several) {
    for (auto const& [word, expected] : std::vector<std::pair<std::string, indices>>{
             {"all", {0, 1, 2, 3, 4}},
             {"tsp", {0}},
             {"tsp@2", {0}},
             {"*_cover", {2, 4}},
             {"s*", {1, 2, 3}},
             {"subset/*", {2, 4}},
             {"cells/sudoku", {1}},
             {"*/s*", {1, 2, 3}},
             {"class:optimise", {0, 2, 4}},
             {"class:exact", {3}},
             {"family:subset", {2, 4}},
             {"tag:covering", {2, 4}},
             {"rlve:Sudoku", {1}},
             {"rlve:*Cover", {2, 4}},
         }) {
        EXPECT_EQ(choose_tasks(word, known_tasks), expected) << word;
    }
}

TEST(task_choice, for_prompts_a_word_for_several_leaves_out_what_is_not_direct_and_its_name_is_refused) {
    std::vector<task_info> some = known_tasks;
    some[2].direct = false;
    EXPECT_EQ(choose_direct_tasks("all", some), (indices{0, 1, 3, 4}));
    EXPECT_EQ(choose_direct_tasks("*_cover", some), indices{4});
    EXPECT_EQ(choose_direct_tasks("tsp@2", some), indices{0});
    for (std::string_view const word : {"set_cover", "subset/set_cover", "set*", "rlve:SetCover"}) {
        try {
            static_cast<void>(choose_direct_tasks(word, some));
            ADD_FAILURE() << word;
        } catch (error const& refused) {
            EXPECT_EQ(refused.code(), status::invalid_argument);
            EXPECT_EQ(refused.what(), not_direct("set_cover"));
        }
    }
}

std::string refusal_of(std::string_view word) {
    try {
        static_cast<void>(choose_tasks(word, known_tasks));
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::unknown_task);
        return refused.what();
    }
    return "";
}

TEST(task_choice, what_fits_nothing_is_refused_by_name) {
    EXPECT_EQ(refusal_of("tps"), "no task is 'tps': this build has tsp, sudoku, set_cover, sorting, vertex_cover");
    EXPECT_EQ(refusal_of("tsp@1"), "no task is 'tsp@1': this build carries tsp@2");
    EXPECT_EQ(refusal_of("z*"), "no task is 'z*': this build has tsp, sudoku, set_cover, sorting, vertex_cover");
    EXPECT_EQ(refusal_of("class:nice"), "no task is 'class:nice': values of class are exact, optimise, satisfy");
    EXPECT_EQ(refusal_of("colour:red"),
              "no task is 'colour:red': a word with a colon is one of class, family, tag, rlve with its value");
    EXPECT_NE(refusal_of(""), "");
}

/// The slow reference for matches.
bool fits(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) {
        return name.empty();
    }
    if (pattern[0] == '*') {
        return fits(pattern.substr(1), name) || (!name.empty() && fits(pattern, name.substr(1)));
    }
    return !name.empty() && pattern[0] == name[0] && fits(pattern.substr(1), name.substr(1));
}

TEST(task_choice, patterns_match_as_their_slow_twin_does) {
    std::int64_t matched = 0;
    for (std::int32_t p = 0; p < 3 * 3 * 3 * 3 * 3; ++p) {
        for (std::int32_t n = 0; n < 2 * 2 * 2 * 2 * 2 * 2; ++n) {
            std::string pattern, name;
            for (std::int32_t rest = p, i = 0; i < 5; rest /= 3, ++i) {
                pattern += "ab*"[rest % 3];
            }
            for (std::int32_t rest = n, i = 0; i < 6; rest /= 2, ++i) {
                name += "ab"[rest % 2];
            }
            ASSERT_EQ(matches(pattern, name), fits(pattern, name)) << pattern << ' ' << name;
            matched += matches(pattern, name) ? 1 : 0;
        }
    }
    EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace optgap::testing
