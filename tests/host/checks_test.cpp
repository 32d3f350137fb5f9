// Checks on hostile texts: they end soon, and their results do not depend on earlier texts.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "host/rubric/checks/json_text.hpp"
#include "optgap/status.hpp"
#include "tests/checks/every_check.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

using namespace rubrics;

std::string many(std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() + unit.size() <= bytes) {
        text += unit;
    }
    return text;
}

/// Texts that make a quadratic rule take minutes.
std::vector<std::string> hostile_texts(std::size_t bytes) {
    std::vector<std::string> texts;
    for (char const* const unit : {"a",
                                   " ",
                                   "\n",
                                   "*",
                                   "* ",
                                   "** ",
                                   "[",
                                   "](",
                                   "<<",
                                   "\"'",
                                   "(",
                                   ".",
                                   ". ",
                                   "a\n",
                                   "- a\n",
                                   "\n \n",
                                   "`",
                                   "***",
                                   "a.",
                                   "A b. ",
                                   "\xFF",
                                   "\xCC\x81",
                                   "e\xCC\x81\xCC\xA3",
                                   "Question 1",
                                   "Section 1",
                                   "a,",
                                   "\"",
                                   "#",
                                   "|-\n",
                                   "İ",
                                   "😀",
                                   "the a a ",
                                   "Zimbabwe\n",
                                   "{\"a\":",
                                   "[[",
                                   "p. ",
                                   "1",
                                   "\r"}) {
        texts.push_back(many(unit, bytes));
    }
    return texts;
}

TEST(checks, every_check_takes_linear_time_on_hostile_texts) {
    text_pass pass;
    std::int64_t evaluated = 0;
    for (check_mode const mode : {check_mode::peer, check_mode::strict}) {
        std::vector<check> const all = every_check(mode);
        for (std::string const& text : hostile_texts(20000)) {
            scan(text, sentence_rule::plain, pass);
            for (check const& one : all) {
                static_cast<void>(one.evaluate({.text = pass, .prompt = text}));
                ++evaluated;
            }
        }
    }
    EXPECT_GT(evaluated, 2 * 150 * 35);
}

TEST(checks, no_check_takes_the_square_of_a_large_hostile_text) {
    // The square of 256 kB is 7e10: a quadratic rule would take minutes, and the test's time limit would end it.
    std::vector<check> const all = every_check(check_mode::peer);
    std::vector<std::string> const texts = hostile_texts(1 << 18);
    text_pass pass;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        scan(texts[k], sentence_rule::plain, pass);
        for (std::size_t c = k % 4; c < all.size(); c += 4) {
            static_cast<void>(all[c].evaluate({.text = pass}));
        }
    }
}

TEST(checks, a_verdict_does_not_depend_on_earlier_texts) {
    std::mt19937_64 draw(3);
    static char const* const parts[] = {"The ",   "a b. ", "* x\n", "- y\n", "\n\n", "\"q\" ", "***",
                                        "<<t>> ", "[a] ",  "Ä ",    "日本 ", "1 ",   "😀 ",     "\xFF"};
    std::vector<check> all = every_check(check_mode::strict);
    for (check& one : every_check(check_mode::peer)) {
        all.push_back(std::move(one));
    }
    text_pass reused;
    for (int round = 0; round < 60; ++round) {
        std::string text;
        for (std::size_t k = draw() % 12; k > 0; --k) {
            text += parts[draw() % std::size(parts)];
        }
        scan(text, sentence_rule::plain, reused);
        for (check const& one : all) {
            text_pass fresh;
            scan(text, sentence_rule::plain, fresh);
            check_result const first = one.evaluate({.text = reused, .prompt = "a b"});
            check_result const second = one.evaluate({.text = fresh, .prompt = "a b"});
            ASSERT_EQ(first.passed, second.passed) << one.title() << ": " << text;
            ASSERT_EQ(first.value, second.value) << one.title() << ": " << text;
        }
    }
}

TEST(checks, a_hundred_megabytes_are_scanned_and_deep_json_is_refused) {
    std::size_t const size = std::size_t(testing::repeats(100)) << 20;  // a third of it under a sanitizer
    std::string const text = many("word \xFF\xE2\x80 x.\n", size);
    text_pass pass;
    scan(text, sentence_rule::plain, pass);
    EXPECT_EQ(pass.counts.bytes, std::int64_t(text.size()));
    EXPECT_FALSE(read_json_text(std::string(size, '['), json_dialect::rfc8259).valid);
}

TEST(checks, a_blank_text_passes_no_type) {
    text_pass pass;
    scan(" \n\u00a0", sentence_rule::plain, pass);
    for (check const& one : every_check(check_mode::peer)) {
        bool const is_type = one.kind().find(':') != std::string::npos;
        EXPECT_FALSE(is_type && one.evaluate({.text = pass}).passed) << one.title();
    }
}

TEST(checks, numbers_from_outside_are_bounded_or_unknown) {
    nlohmann::ordered_json const value = {{"check", "external"}, {"external", "judge"}, {"min", 0.5}};
    check const one = compile_check(value, "style[0]");
    text_pass pass;
    scan("a", sentence_rule::plain, pass);
    EXPECT_FALSE(one.evaluate({.text = pass}).known);
    auto const with = [&](double number) {
        return one.evaluate({.text = pass, .external = [&](std::string_view) { return std::optional(number); }});
    };
    EXPECT_TRUE(with(0.5).passed);
    EXPECT_FALSE(with(0.49).passed);
    EXPECT_EQ(with(0.25).value, 250);
    check const negated = compile_check({{"not", value}}, "style[0]");
    EXPECT_FALSE(negated.evaluate({.text = pass}).passed);
}

TEST(checks, a_result_is_said_in_a_sentence) {
    text_pass pass;
    scan("One two three.", sentence_rule::plain, pass);
    check const words = compile_check({{"check", "words"}, {"in", {5, 9}}}, "style[0]");
    EXPECT_EQ(words.sentence(words.evaluate({.text = pass})), "words 5 to 9: 3: fails");
    check const comma = compile_check({{"check", "punctuation:no_comma"}, {"mode", "peer"}}, "style[0]");
    EXPECT_EQ(comma.sentence(comma.evaluate({.text = pass})), "punctuation:no_comma (peer): counts 0: passes");
}

}  // namespace
}  // namespace optgap::testing
