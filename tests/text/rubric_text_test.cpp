// The structural pass of free text against its slow reference, and the rules of prepare().

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

#include "host/rubric/checks/json_text.hpp"
#include "host/rubric/text.hpp"
#include "optgap/status.hpp"
#include "tests/checks/slow_text.hpp"

namespace optgap::testing {
namespace {

using namespace rubrics;

std::string random_text(std::mt19937_64& draw) {
    static char const* const parts[] = {"word",
                                        " ",
                                        "\n",
                                        "\n \n",
                                        "A",
                                        "z",
                                        "0",
                                        "12",
                                        "_",
                                        "-",
                                        ".",
                                        "é",
                                        "İ",
                                        "ß",
                                        "Ω",
                                        "ж",
                                        "日本",
                                        "カ",
                                        "ก",
                                        "\u00a0",
                                        "\u3000",
                                        "\u2028",
                                        "😀",
                                        "☺\uFE0F",
                                        "\u200b",
                                        "\xFF",
                                        "\xC3",
                                        "\xE2\x80",
                                        "\xF0\x9F\x98",
                                        "\xED\xA0\x80",
                                        "٣",
                                        "\x1c",
                                        "\t",
                                        "! ",
                                        "。"};
    std::string text;
    std::size_t const count = draw() % 90;
    for (std::size_t k = 0; k < count; ++k) {
        text += draw() % 4 == 0 ? std::string(draw() % 70, "ab \n7"[draw() % 5])
                                : std::string(parts[draw() % std::size(parts)]);
    }
    return text;
}

TEST(rubric_text, the_pass_finds_what_its_slow_twin_finds) {
    std::mt19937_64 draw(7);
    text_pass pass;
    for (int round = 0; round < 4000; ++round) {
        std::string const text = random_text(draw);
        scan(text, sentence_rule::plain, pass);
        ASSERT_EQ(difference(pass, slow_text(text)), "") << text;
    }
}

TEST(rubric_text, every_length_around_a_block_of_64_bytes_is_right) {
    text_pass pass;
    for (std::string const& unit : {std::string("a"), std::string(" "), std::string("é"), std::string("\xFF"),
                                    std::string("日"), std::string("a\n")}) {
        for (std::size_t size = 0; size < 200; ++size) {
            std::string text;
            while (text.size() < size) {
                text += unit;
            }
            scan(text, sentence_rule::plain, pass);
            ASSERT_EQ(difference(pass, slow_text(text)), "") << size;
        }
    }
}

TEST(rubric_text, sentences_end_where_the_rule_says) {
    auto const of = [](std::string_view text, sentence_rule rule) {
        std::vector<place> places;
        split_sentences(text, rule, places);
        std::string out;
        for (place const& one : places) {
            out += "[" + std::string(text.substr(one.begin, one.size())) + "]";
        }
        return out;
    };
    EXPECT_EQ(of("Dr. Smith rewarded 3.50 at example.com. He left!", sentence_rule::plain),
              "[Dr. Smith rewarded 3.50 at example.com.][He left!]");
    EXPECT_EQ(of("J. Doe said \"no.\" Then (really?) she went... home", sentence_rule::plain),
              "[J. Doe said \"no.\"][Then (really?)][she went...][home]");
    EXPECT_EQ(of("これは。それは！", sentence_rule::plain), "[これは。][それは！]");
    EXPECT_EQ(of("Dr. Smith came. ok", sentence_rule::regex), "[Dr.][Smith came.][ok]");
    EXPECT_EQ(of(" \n ", sentence_rule::plain), "");
    EXPECT_EQ(of("etc.", sentence_rule::plain), "[etc.]");
}

TEST(rubric_text, prepare_folds_normalises_and_drops_as_asked) {
    std::string out;
    EXPECT_EQ(prepare("İSTANBUL ſ \u212A", {.fold = fold_rule::python}, out), 0);
    EXPECT_EQ(out, "istanbul s k");
    prepare("ΣΑΣ ẞ", {.fold = fold_rule::simple}, out);
    EXPECT_EQ(out, "σασ ß");
    prepare("“a” – b… ＡＢ\u00a0c", {.typography = true}, out);
    EXPECT_EQ(out, "\"a\" - b... AB c");
    EXPECT_EQ(prepare("a\u200bb", {.drop_hidden = true}, out), 1);
    EXPECT_EQ(out, "ab");
    prepare("a\xFFz", {}, out);
    EXPECT_EQ(out, "a\uFFFDz");
    if (has_normal_forms()) {
        prepare("e\u0301 ﬁ", {.normal = normal_form::nfc}, out);
        EXPECT_EQ(out, "é ﬁ");
        prepare("e\u0301 ﬁ \xFF", {.normal = normal_form::nfkc}, out);
        EXPECT_EQ(out, "é fi \uFFFD");
    } else {
        EXPECT_THROW(prepare("a", {.normal = normal_form::nfc}, out), error);
    }
}

TEST(rubric_text, a_final_sigma_is_lower_cased_as_python_does) {
    std::string out;
    python_lower("ΟΔΟΣ ΣΑΣ. Σ İ", out);
    EXPECT_EQ(out, "οδος σας. σ i\u0307");
}

TEST(rubric_text, tables_take_less_than_40_kB) { EXPECT_LT(unicode_table_bytes(), 40000u); }

TEST(rubric_text, json_is_read_without_recursion) {
    auto const valid = [](std::string_view text) { return read_json_text(text, json_dialect::rfc8259).valid; };
    for (char const* const good :
         {"{}", "[]", " [1, -0.5e+3, \"\\u00e9\", true, null] ", "{\"a\": {\"b\": [[]]}}", "0", "\"x\""}) {
        EXPECT_TRUE(valid(good)) << good;
    }
    for (char const* const bad : {"", "[1,]", "{\"a\" 1}", "01", "+1", "1.", ".5", "[1 2]", "{,}", "\"\t\"", "\"\\x\"",
                                  "nul", "NaN", "[", "]", "{\"a\":}", "{1:2}", "[]]"}) {
        EXPECT_FALSE(valid(bad)) << bad;
    }
    EXPECT_TRUE(read_json_text("[NaN, -Infinity]", json_dialect::python).valid);
    EXPECT_TRUE(valid(std::string(256, '[') + std::string(256, ']')));
    EXPECT_FALSE(valid(std::string(257, '[') + std::string(257, ']')));
    json_text const found = read_json_text("{\"a\": 1, \"b\": {\"c\": 2}, \"d\": []}", json_dialect::rfc8259);
    EXPECT_EQ(found.keys, (std::vector<std::string>{"a", "b", "d"}));
    EXPECT_EQ(found.kinds, (std::vector<char>{'0', '{', '['}));
}

}  // namespace
}  // namespace optgap::testing
