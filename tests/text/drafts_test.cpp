// The property of drafts: what a completion states before the end of its reasoning is never its answer, in any format.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "optgap/format.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

struct reading {
    parsed_text parsed;
    block words;
    [[nodiscard]] bool rewarded() const { return parsed.format_code == code_ok && parsed.answer_code == code_ok; }
};

reading read(std::string const& text, format_spec const& format, finish finished = finish::unknown) {
    reading made;
    made.parsed = parse_completion(text, format, nullptr, made.words, finished);
    return made;
}

std::string answer_part(format_spec const& format, std::string const& list) {
    switch (format.place) {
        case answer_place::boxed: return "\\boxed{" + list + "}";
        case answer_place::line: return "\nAnswer: " + list;
        default: return format.answer_open + list + format.answer_close;
    }
}

std::string const optimum = "[0, 3, 1]";
block const optimum_block{-1, 0, 3, 1};

TEST(drafts, in_a_closed_reasoning_part_cost_nothing_and_earn_nothing) {
    for (format_spec const& format : formats()) {
        std::string const form = format.answer_open + "[a, b, c, ...]" + format.answer_close;
        for (reasoning_markers const& pair : format.markers) {
            if (pair.open.empty() || pair.close.empty()) {
                continue;
            }
            std::string const open = format.opened_in_prompt ? "" : pair.open;
            for (std::string const& draft :
                 {answer_part(format, "[7]"), form, "say " + form + " then", std::string("so")}) {
                std::string const text = open + draft + pair.close + answer_part(format, optimum);
                reading const got = read(text, format, finish::stop);
                EXPECT_TRUE(got.rewarded()) << format.name << ": " << text;
                EXPECT_EQ(got.words, optimum_block) << format.name << ": " << text;
            }
        }
    }
}

TEST(drafts, are_not_rewarded_when_the_reasoning_was_cut_off) {
    for (format_spec const& format : formats()) {
        for (reasoning_markers const& pair : format.markers) {
            std::string const open = format.opened_in_prompt ? "" : pair.open;
            if (open.empty() && !format.opened_in_prompt) {
                continue;
            }
            for (finish const finished : {finish::unknown, finish::stop, finish::length, finish::abort}) {
                for (char const* const rest : {"", " but wait, let me", "\n"}) {
                    std::string const text = open + "so " + answer_part(format, optimum) + rest;
                    EXPECT_FALSE(read(text, format, finished).rewarded()) << format.name << ": " << text;
                }
            }
        }
    }
}

TEST(drafts, without_a_reasoning_part_count_only_as_a_finished_answer) {
    for (format_spec format : formats()) {
        if (format.reasoning == reasoning_rule::required) {
            continue;
        }
        for (tail_rule const tail : {tail_rule::strict, tail_rule::lenient}) {
            format.tail = tail;
            std::string const draft = "I think " + answer_part(format, optimum);
            bool const line = format.place == answer_place::line;
            EXPECT_TRUE(read(draft, format, finish::stop).rewarded()) << format.name;
            EXPECT_EQ(read(draft, format, finish::length).rewarded(), !line) << format.name;
            EXPECT_EQ(read(draft + "\n<|im_end|>", format, finish::length).rewarded(), !line) << format.name;
            EXPECT_FALSE(read(draft + "\nbut let me check whether", format, finish::length).rewarded()) << format.name;
            EXPECT_EQ(read(draft + "\nIts length is 240.", format, finish::stop).rewarded(), tail == tail_rule::lenient)
                << format.name;
        }
    }
}

TEST(drafts, before_a_closing_tag_that_nothing_opened_are_reasoning) {
    for (format_spec const& format : formats()) {
        if (format.reasoning != reasoning_rule::optional) {
            continue;
        }
        std::string const& close = format.markers[0].close;
        EXPECT_FALSE(read("so " + answer_part(format, optimum) + close, format).rewarded()) << format.name;
        std::string const text = "so " + answer_part(format, "[7]") + close + answer_part(format, optimum);
        EXPECT_EQ(read(text, format).words, optimum_block) << format.name;
        EXPECT_TRUE(read(text, format).rewarded()) << format.name;
    }
}

/// Pieces of completions: tags of all families, answers, prose, bytes.
std::string random_text(std::mt19937_64& random, format_spec const& format) {
    auto const draw = [&](std::size_t n) { return std::size_t(random() % n); };
    std::vector<std::string> pieces{answer_part(format, optimum),
                                    answer_part(format, "[7]"),
                                    "so ",
                                    "\n",
                                    "<|im_end|>",
                                    "<turn|>",
                                    "\\boxed{[1]}",
                                    "Answer: [2]",
                                    "<answer>[5]</answer>",
                                    "<answer>",
                                    "}"};
    for (int k = 0; k < 3; ++k) {  // mostly the format's own tags
        for (reasoning_markers const& pair : format.markers) {
            pieces.push_back(pair.open);
            pieces.push_back(pair.close);
        }
    }
    for (reasoning_markers const& pair : formats()[5 + draw(formats().size() - 5)].markers) {
        pieces.push_back(pair.open);
        pieces.push_back(pair.close);
    }
    std::string text;
    for (std::size_t count = 1 + draw(8); count > 0; --count) {
        text += pieces[draw(pieces.size())];
    }
    if (draw(4) == 0) {
        text.resize(draw(text.size() + 1));
    }
    return text;
}

/// The place of the last of the tags; npos without one. Tags of one format do not overlap.
struct last_tags {
    std::size_t opened = std::string::npos, closed = std::string::npos;
};

last_tags last_of(std::string const& text, format_spec const& format) {
    last_tags found;
    auto const later = [](std::size_t a, std::size_t b) {
        return a == std::string::npos ? b : b == std::string::npos ? a : std::max(a, b);
    };
    for (reasoning_markers const& pair : format.markers) {
        if (!pair.open.empty()) {
            bool const starts = text.compare(0, pair.open.size(), pair.open) == 0;
            found.opened =
                later(found.opened, pair.at_start ? (starts ? 0 : std::string::npos) : text.rfind(pair.open));
        }
        if (!pair.close.empty()) {
            found.closed = later(found.closed, text.rfind(pair.close));
        }
    }
    return found;
}

/// An answer is not rewarded if it comes before the end of reasoning, while reasoning is open, or if it is cut off and
/// not closed. The test examines only the text, not the scanner's rules.
TEST(drafts, are_rewarded_in_no_format_of_a_hundred_thousand_texts_each) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    constexpr int texts = 5'000;
#else
    constexpr int texts = 100'000;
#endif
    std::mt19937_64 random(91);
    for (format_spec const& named : formats()) {
        int rewarded = 0;
        for (int i = 0; i < texts; ++i) {
            format_spec format = named;
            format.tail = random() % 2 == 0 ? named.tail : tail_rule::lenient;
            auto const finished = finish(random() % 4);
            std::string const text = random_text(random, format);
            reading const got = read(text, format, finished);
            if (!got.rewarded()) {
                continue;
            }
            ++rewarded;
            last_tags const last = last_of(text, format);
            bool const open = last.opened != std::string::npos
                                  ? last.closed == std::string::npos || last.closed < last.opened
                                  : format.opened_in_prompt && last.closed == std::string::npos;
            ASSERT_FALSE(open) << format.name << ": " << text;
            ASSERT_TRUE(last.closed == std::string::npos || std::size_t(got.parsed.answer.begin) > last.closed)
                << format.name << ": " << text;
            if (finished == finish::length || finished == finish::abort) {
                ASSERT_NE(format.place, answer_place::line) << format.name << ": " << text;
                std::string rest = text.substr(std::size_t(got.parsed.answer.end));
                for (std::string const& part :
                     {format.answer_close, std::string("}"), std::string("<|im_end|>"), std::string("<turn|>")}) {
                    for (std::size_t at = 0; (at = rest.find(part)) != std::string::npos;) {
                        rest.erase(at, part.size());
                    }
                }
                ASSERT_EQ(rest.find_first_not_of(" \t\r\n"), std::string::npos) << format.name << ": " << text;
            }
        }
        EXPECT_GT(rewarded, texts / 1000) << named.name << ": the texts hardly ever hold an answer";
    }
}

}  // namespace
}  // namespace optgap
