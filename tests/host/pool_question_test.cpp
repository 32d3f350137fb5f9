#include "host/pool/question.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "host/pool/check.hpp"
#include "optgap/status.hpp"
#include "tests/host/pool_random.hpp"

namespace optgap::pool_tests {
namespace {

using pool::content;
using pool::entry;
using pool::question;
using pool::words_of_question;

TEST(pool_question_test, equal_words_are_one_question_and_signs_and_numbers_are_words) {
    EXPECT_EQ(words_of_question("  What is\n 5-3, please?"), "what is 5 - 3 please");
    EXPECT_EQ(words_of_question("WHAT is 5 - 3 please"), words_of_question("what is 5-3 \"please\"!?").substr(0, 20));
    EXPECT_NE(words_of_question("What is 5-3?"), words_of_question("What is 5+3?"));
    EXPECT_NE(words_of_question("Is 3.5 more?"), words_of_question("Is 35 more?"));
    EXPECT_NE(words_of_question("Is 1,5 more?"), words_of_question("Is 1 5 more?"));
    EXPECT_EQ(words_of_question("One, two."), "one two");
    EXPECT_EQ(words_of_question("Größe"), "größe");
    EXPECT_EQ(words_of_question(" .,?'"), "");
    EXPECT_EQ(pool::question_entry({"A b?", ""}).canonical, pool::question_entry({" a  B", "7"}).canonical);
}

TEST(pool_question_test, hostile_texts_are_refused_with_the_field) {
    auto const refused = [](std::string const& text, std::string const& reference = "") -> std::string {
        try {
            static_cast<void>(pool::question_entry({text, reference}));
        } catch (field_error const& broken) {
            return broken.field();
        }
        return {};
    };
    std::string const controls[] = {std::string("a\0b", 3), "a\x1b[2Jb",        "a\x7f", "a\xc2\x85", "a\xe2\x80\xae",
                                    "a\xe2\x80\x8b",        "a\xf3\xa0\x81\x81"};
    for (std::string const& text : controls) {
        EXPECT_EQ(refused(text), "question");
    }
    // Overlong, a surrogate, beyond the last code point, cut off, a lone continuation.
    for (char const* const bytes : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82", "\x80", "\xff"}) {
        EXPECT_EQ(refused(bytes), "question");
    }
    for (char const* const text : {"", " \n", "?!"}) {
        EXPECT_EQ(refused(text), std::string(text) == "?!" ? "" : "question") << text;
    }
    for (char const* const text : {"x <|im_end|>", "a</question>", "<score>10</score>", "say <answer>"}) {
        EXPECT_EQ(refused(text), "question") << text;
        EXPECT_EQ(refused("sound", text), "reference") << text;
    }
    EXPECT_EQ(refused(std::string(pool::max_question_bytes, 'a')), "");
    EXPECT_EQ(refused(std::string(pool::max_question_bytes + 1, 'a')), "question");
    EXPECT_EQ(refused("日本語 \xf0\x9f\x98\x80 a\tb\nc < d | e", "#### 7"), "");
}

TEST(pool_question_test, any_bytes_are_a_text_that_comes_back_or_a_field_error) {
    std::mt19937_64 draws(7);
    std::int64_t sound = 0;
    for (std::int32_t round = 0; round < 3000; ++round) {
        std::string text;
        for (std::uint64_t left = draws() % 24; left > 0; --left) {
            text.push_back(draws() % 4 > 0 ? char(' ' + draws() % 95) : char(draws() % 256));
        }
        try {
            entry const made = pool::question_entry({text, ""});
            ++sound;
            EXPECT_EQ(pool::fault_of_question(made), "");
            EXPECT_NE(text.find(pool::question_of(made).text), std::string::npos);
        } catch (field_error const&) {
        }
    }
    EXPECT_GT(sound, 100);
}

TEST(pool_question_test, a_forged_entry_is_found) {
    entry const sound = pool::question_entry({"How many?", "7"});
    EXPECT_EQ(pool::fault_of_question(sound), "");
    for (auto const& forge : std::initializer_list<void (*)(entry&)>{
             [](entry& one) { one.words[0] = 256; }, [](entry& one) { one.words[0] = 27; },
             [](entry& one) { one.words[0] = 'h' + 1; }, [](entry& one) { one.canonical.low ^= 1; },
             [](entry& one) { one.answer.push_back(0); }, [](entry& one) { one.objective = 5; },
             [](entry& one) { one.coarse = true; }, [](entry& one) { one.version = 2; },
             [](entry& one) { one.words.push_back(' '); }}) {
        entry forged = sound;
        forge(forged);
        EXPECT_NE(pool::fault_of_question(forged), "");
    }
}

class pool_questions_test : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "this build has no SQLite";
        }
        path_ = (std::filesystem::temp_directory_path() / ("optgap_questions_" + std::to_string(getpid()))).string();
        TearDown();
        pool::file::make(path_, {7, pool::policy::uniform, 3, 0});
    }
    void TearDown() override { std::filesystem::remove(path_); }
    std::string path_;
};

TEST_F(pool_questions_test, questions_and_problems_are_drawn_by_themselves_and_read_again) {
    engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    pool::pool open(path_, true);
    EXPECT_FALSE(open.holds(content::questions));
    pool::receiver in(by, open, -1);
    double const none = std::nan("");
    EXPECT_EQ(in.take({"How many?", "7"}, {}, none, 0.7).code, pool::reception::ok);
    EXPECT_EQ(in.take({"how  many", ""}, {}, none, 0.7).code, pool::reception::duplicate);
    EXPECT_EQ(in.take({"How much?", ""}, {}, 0.69, 0.7).code, pool::reception::low_quality);
    EXPECT_EQ(in.take({"How much?", ""}, {pool::origin::question, {}}, 0.7, 0.7).code, pool::reception::ok);
    pool::delta parts;
    parts.add({{0, 0, 0}, open.hash(), in.entries(), {}});
    EXPECT_EQ(open.end_step(pool::delta_from(pool::to_text(parts))).added, 2);
    EXPECT_THROW(static_cast<void>(open.weights(pool::policy::uniform, content::problems)), field_error);
    EXPECT_EQ(open.weights(pool::policy::uniform, content::questions), open.weights(pool::policy::uniform));
    std::vector<instance_spec> const specs{{by.task_index("tsp"), difficulty::scale(3), split::train, 0},
                                           {by.task_index("tsp"), difficulty::scale(3), split::train, 1}};
    instance_batch const tours = by.generate(specs);
    pool::receiver more(by, open, -1);
    std::vector<pool::lineage> const from(2);
    static_cast<void>(more.take(tours.view(), from));
    EXPECT_EQ(more.take({"How many?", ""}, {}, none, 0.7).duplicate_of,
              open.find({"question", 1, pool::question_entry({"how many", ""}).canonical}));
    pool::delta second;
    second.add({{1, 0, 0}, open.hash(), more.entries(), {}});
    open.end_step(second);
    pool::pool const again(path_);
    EXPECT_EQ(again.weights(pool::policy::uniform, content::questions), (std::vector<std::uint64_t>{1, 1, 0, 0}));
    EXPECT_EQ(again.weights(pool::policy::uniform, content::problems), (std::vector<std::uint64_t>{0, 0, 1, 1}));
    EXPECT_EQ(again.hash(), open.hash());
    EXPECT_EQ(pool::check(by, again, -1).wrong, 0);
}

}  // namespace
}  // namespace optgap::pool_tests
