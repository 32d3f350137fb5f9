// Fast paths for ASCII and vector searches, each against the general path: the same verdicts, the same places.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <unordered_map>

#include "host/rubric/bytes.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/word_table.hpp"
#include "host/rubric/text.hpp"
#include "tests/checks/every_check.hpp"

namespace optgap::testing {
namespace {

using namespace rubrics;

/// Texts of ASCII with what checks look for: words, joiners, brackets, lists, blank lines, marks.
std::string ascii_text(std::mt19937_64& draw) {
    static char const* const parts[] = {
        "a",          "the",   "and",     "it's",       "level",
        "well-known", "Emma",  "YES",     "3.5",        "12",
        " ",          " ",     " ",       " ",          "\n",
        "\n\n",       ". ",    "! ",      "? ",         ", ",
        "- ",         "* ",    "(",       ")",          "[{",
        "}]",         "\"",    "'",       "<<x>>",      "***",
        "**b**",      "/",     "they/we", "yet",        "Dr. ",
        "# Head ",    "\t",    "\x1c",    "_x",         "e.g",
        "?!",         "P.S. ", "b c",     "{\"a\": 1}", "-",
        "--",         "x'-y",  "'-",      "a'b-c",      "1-2",
        "zz",         "\x7f",  "",        "elgae dlab", "a b c d e f g h i j k l m n o p q r s t u v w x y z"};
    std::string text;
    for (std::size_t k = draw() % 60; k > 0; --k) {
        text += parts[draw() % std::size(parts)];
    }
    return text;
}

TEST(short_ways, every_check_says_of_ascii_what_it_says_by_the_long_way) {
    std::vector<check> all = every_check(check_mode::peer);
    for (check& one : every_check(check_mode::strict)) {
        all.push_back(std::move(one));
    }
    std::mt19937_64 draw(11);
    text_pass by_short, by_long;
    for (int round = 0; round < 400; ++round) {
        std::string const text = ascii_text(draw);
        scan(text, sentence_rule::plain, by_short);
        scan(text, sentence_rule::plain, by_long);
        ASSERT_TRUE(by_short.ascii);
        by_long.ascii = false;
        for (check const& one : all) {
            check_result const left = one.evaluate({.text = by_short, .prompt = "a b"});
            check_result const right = one.evaluate({.text = by_long, .prompt = "a b"});
            ASSERT_EQ(left.passed, right.passed) << one.title() << "\n" << text;
            ASSERT_EQ(left.value, right.value) << one.title() << "\n" << text;
        }
    }
}

TEST(short_ways, a_pass_knows_whether_all_is_ascii) {
    text_pass pass;
    for (std::size_t size = 1; size < 200; ++size) {
        for (std::size_t const at : {std::size_t(0), size / 2, size - 1}) {
            std::string text(size, 'a');
            scan(text, sentence_rule::plain, pass);
            ASSERT_TRUE(pass.ascii);
            text[at] = '\xFF';
            scan(text, sentence_rule::plain, pass);
            ASSERT_FALSE(pass.ascii) << size << " " << at;
            ASSERT_FALSE(is_ascii_text(text));
        }
    }
}

TEST(short_ways, parts_are_found_where_the_standard_library_finds_them) {
    std::mt19937_64 draw(3);
    for (int round = 0; round < 4000; ++round) {
        std::string text, part;
        for (std::size_t k = draw() % 120; k > 0; --k) {
            text += "ab c"[draw() % 4];
        }
        for (std::size_t k = draw() % 5; k > 0; --k) {
            part += "ab c"[draw() % 4];
        }
        std::size_t const from = draw() % 130;
        ASSERT_EQ(find_part(text, part, from), std::string_view(text).find(part, from)) << text << "|" << part;
        if (!part.empty()) {
            ASSERT_EQ(count_of(text, part.substr(0, 1)), std::count(text.begin(), text.end(), part[0]));
        }
    }
}

TEST(short_ways, pieces_and_deleted_marks_are_those_of_loops_over_bytes) {
    std::mt19937_64 draw(5);
    std::vector<place> left, right;
    std::string bare, lower;
    for (int round = 0; round < 3000; ++round) {
        std::string text = ascii_text(draw);
        split_pieces(text, left);
        split_pieces_of_points(text, right);
        ASSERT_EQ(left, right) << text;
        if (round % 2 == 0) {
            text += "\xC3\xA9\xFF";
        }
        delete_marks(text, bare);
        std::string wanted = text;
        std::erase_if(wanted, is_mark_byte);
        ASSERT_EQ(bare, wanted);
        lower_ascii(text, lower);
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char byte) { return byte >= 'A' && byte <= 'Z' ? char(byte + 32) : byte; });
        ASSERT_EQ(lower, text);
    }
}

TEST(short_ways, words_are_told_apart_and_counted) {
    std::mt19937_64 draw(9);
    different_words counted;
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> words;
        for (std::size_t k = draw() % 200; k > 0; --k) {
            // All lengths around 4, 8 and 16 bytes, equal except for a few bytes.
            std::string word(draw() % 40, 'a');
            if (!word.empty()) {
                word[draw() % word.size()] = "ab"[draw() % 2];
            }
            words.push_back(word);
        }
        std::vector<std::string> const listed(words.begin(), words.begin() + std::ptrdiff_t(words.size() / 2));
        word_table const table(listed);
        std::unordered_map<std::string, std::int64_t> wanted;
        counted.begin();
        for (std::string const& word : words) {
            bool const fresh = wanted.find(word) == wanted.end();
            std::size_t const before = counted.size();
            std::uint32_t const number = counted.number_of(word);
            ASSERT_EQ(counted.size(), before + fresh) << word;
            ASSERT_EQ(counted[number].view(), word);
            // Readable bytes after a word change nothing.
            std::string const longer = word + "xyzxyzxyzxyzxyzxyz";
            std::string_view const same = std::string_view(longer).substr(0, word.size());
            ASSERT_EQ(counted.number_of(same, key_of(same, longer.size())), number) << word;
            ++wanted[word];
            ASSERT_EQ(table.has(word), std::find(listed.begin(), listed.end(), word) != listed.end()) << word;
        }
        ASSERT_EQ(counted.size(), wanted.size());
    }
}

double seconds_of_all(std::vector<check> const& all, std::string const& text) {
    text_pass pass;
    double best = 1e9;
    for (int round = 0; round < 2; ++round) {
        std::clock_t const begin = std::clock();
        scan(text, sentence_rule::plain, pass);
        for (check const& one : all) {
            one.evaluate({.text = pass, .prompt = "a b"});
        }
        best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

// Quadratic time would be sixteen times as long; twelve allows for caches and other load.
TEST(short_ways, four_times_a_hostile_text_takes_about_four_times_as_long) {
    std::vector<check> const all = every_check(check_mode::peer);
    for (char const* const unit : {"a b ", "\xFF", "[{(", "\n", ".", "\xE6\xBC\xA2", "*- ", "\"'", "[[[[{\"a\":"}) {
        auto const text = [&](std::size_t bytes) {
            std::string made;
            while (made.size() < bytes) {
                made += unit;
            }
            return made;
        };
        double const small = seconds_of_all(all, text(25'000));
        double const large = seconds_of_all(all, text(100'000));
        EXPECT_LT(large, 12 * small + 0.05) << unit;
    }
}

}  // namespace
}  // namespace optgap::testing
