#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

TEST(formats, are_named_by_family_and_place_with_forge_first) {
    std::vector<std::string> names;
    for (format_spec const& f : formats()) {
        names.push_back(f.name);
    }
    std::vector<std::string> expected{"forge", "forge_prefilled", "answer_only", "boxed", "answer_line"};
    for (std::string const family : {"harmony", "magistral", "gemma4", "seed", "kimi", "cohere"}) {
        expected.insert(expected.end(), {family, family + "_boxed", family + "_line"});
    }
    EXPECT_EQ(names, expected);
}

TEST(formats, a_default_spec_is_forge) {
    format_spec const made;
    format_spec const& forge = format_named("forge");
    EXPECT_EQ(made.name, forge.name);
    EXPECT_EQ(made.answer_open, forge.answer_open);
    EXPECT_EQ(made, forge);
    EXPECT_EQ(forge.reasoning, reasoning_rule::required);
    EXPECT_FALSE(forge.opened_in_prompt);
}

TEST(formats, an_unknown_name_is_an_error_that_lists_the_names) {
    try {
        format_named("xml");
        FAIL() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), status::invalid_argument);
        for (format_spec const& f : formats()) {
            EXPECT_NE(std::string(e.what()).find(f.name), std::string::npos) << f.name;
        }
    }
}

TEST(formats, the_instructions_name_every_marker_the_scanner_looks_for) {
    for (format_spec const& f : formats()) {
        std::string const text = format_instructions(f, "[0, 3, 1, 2]");
        EXPECT_NE(text.find("[0, 3, 1, 2]"), std::string::npos) << f.name;
        bool const required = f.reasoning == reasoning_rule::required;
        EXPECT_EQ(text.find(f.markers[0].close) != std::string::npos, required) << f.name;
        EXPECT_EQ(text.find(f.markers[0].open) != std::string::npos, required && !f.opened_in_prompt) << f.name;
        EXPECT_EQ(text.find(f.answer_open) != std::string::npos, f.place == answer_place::tagged) << f.name;
    }
}

TEST(formats, a_completion_that_copies_the_shown_form_is_read) {
    for (format_spec const& f : formats()) {
        std::string completion = format_instructions(f, "[0, 3, 1, 2]");
        if (f.place == answer_place::tagged) {
            completion = f.answer_open + "[0, 3, 1, 2]" + f.answer_close;
            if (f.reasoning == reasoning_rule::required) {
                std::string const open = f.opened_in_prompt ? "" : f.markers[0].open;
                completion = open + "so" + f.markers[0].close + completion;
            }
        }
        std::vector<std::int32_t> words;
        parsed_text const parsed = parse_completion(completion, f, nullptr, words);
        EXPECT_EQ(parsed.format_code, code_ok) << completion;
        EXPECT_EQ(parsed.answer_code, code_ok) << completion;
        EXPECT_EQ(words, (std::vector<std::int32_t>{-1, 0, 3, 1, 2})) << completion;
    }
}

TEST(formats, what_any_spec_is_written_as_reads_back) {
    format_spec f;
    f.name = "mine";
    f.place = answer_place::line;
    f.answer_open = "$";
    f.reasoning = reasoning_rule::none;
    f.opened_in_prompt = true;
    f.markers = {{"[REASON]", "[/REASON]"}};
    format_spec const read = parse_format(to_json(f));
    EXPECT_EQ(to_json(read), to_json(f));
    EXPECT_EQ(read.place, answer_place::line);
    EXPECT_EQ(read.reasoning, reasoning_rule::none);
}

TEST(formats, a_spec_with_other_tags_is_read_by_its_own_tags) {
    format_spec f;
    f.markers = {{"[REASON]", "[/REASON]"}};
    f.answer_open = "$";
    f.answer_close = "#";
    std::vector<std::int32_t> words;
    EXPECT_EQ(parse_completion("[REASON]x <think>[/REASON]$(4,5)#", f, nullptr, words).format_code, code_ok);
    EXPECT_EQ(words, (std::vector<std::int32_t>{-1, 4, 5}));
    words.clear();
    EXPECT_EQ(parse_completion("<think>x</think><answer>[4]</answer>", f, nullptr, words).format_code,
              code_format_missing_reasoning);
}

}  // namespace
}  // namespace optgap
