#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "host/parse/byte_search.hpp"
#include "optgap/format.hpp"
#include "tests/support/sample.hpp"
#include "tests/text/fragments.hpp"
#include "tests/text/reference_scanner.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

char const* const word_answers[] = {"impossible", nullptr};
std::vector<std::string> const reference_word_answers{"impossible"};

struct scanned {
    std::int32_t format_code, answer_code, where;
    text_span span;
    block words;
    friend bool operator==(scanned const&, scanned const&) = default;
    friend std::ostream& operator<<(std::ostream& out, scanned const& o) {
        out << "format " << o.format_code << " answer " << o.answer_code << " at " << o.where << " span "
            << o.span.begin << ".." << o.span.end << " block";
        for (std::int32_t const each : o.words) {
            out << ' ' << each;
        }
        return out;
    }
};

scanned fast(std::string_view text, format_spec const& format, finish finished = finish::unknown) {
    block words;
    parsed_text const p = parse_completion(text, format, word_answers, words, finished);
    return {p.format_code, p.answer_code, p.where, p.answer, words};
}

scanned slow(std::string const& text, format_spec const& format, finish finished = finish::unknown) {
    text_reference::result const r = text_reference::completion(text, format, reference_word_answers, finished);
    return {r.parsed.format_code, r.parsed.answer_code, r.parsed.where, r.parsed.answer, r.block};
}

struct judged {
    char const* format;
    std::string text;
    std::int32_t code;
    block words;
};

block const none{-1};
block const one{-1, 1};
block const two{-1, 2};

TEST(scanner, judges_the_format_and_still_reads_the_answer) {
    std::string const think = "<think>so</think>";
    std::string const answer = "<answer>[1]</answer>";
    std::vector<judged> const table{
        {"forge", think + answer, code_ok, one},
        {"forge", " \n" + think + "\n\n" + answer + "\n<|im_end|></s> ", code_ok, one},
        {"forge", "Sure. " + think + " Hence: " + answer, code_ok, one},
        {"forge", "<think>maybe <answer>[2]</answer>, the tag is <answer></think>" + answer, code_ok, one},
        {"forge", "<think>a < b, </thin, <answe, <</think><" + answer, code_ok, one},
        {"forge", "", code_format_missing_reasoning, none},
        {"forge", answer, code_format_missing_reasoning, one},
        {"forge", "<think></think>" + answer, code_format_missing_reasoning, one},
        {"forge", "<think> \n\t</think>" + answer, code_format_missing_reasoning, one},
        {"forge", "<think>so " + answer, code_format_missing_reasoning, one},
        {"forge", "so</think>" + answer, code_format_missing_reasoning, one},
        {"forge", "</think>so<think>" + answer, code_format_missing_reasoning, one},
        {"forge", "<Think>so</Think>" + answer, code_format_missing_reasoning, one},
        {"forge", think, code_format_missing_answer, none},
        {"forge", think + "[1]", code_format_missing_answer, none},
        {"forge", think + "<answer>[1]", code_format_missing_answer, none},
        {"forge", think + "[1]</answer>", code_format_missing_answer, none},
        {"forge", think + "</answer>[1]<answer>", code_format_missing_answer, none},
        {"forge", "<think>so " + answer + "</think>", code_format_missing_answer, none},
        {"forge", answer + think, code_format_missing_answer, one},
        {"forge", think + answer + answer, code_format_repeated, one},
        {"forge", think + answer + "<answer>[2]</answer>", code_format_repeated, two},
        {"forge", think + answer + "<answer>[2]", code_format_repeated, one},
        {"forge", think + "<answer><answer>[2]</answer>", code_format_repeated, two},
        {"forge", think + answer + "</answer>", code_format_repeated, one},
        {"forge", answer + think + "<answer>[2]</answer>", code_format_repeated, two},
        {"forge", think + think + answer, code_format_repeated, one},
        {"forge", "<think><think>so</think>" + answer, code_format_repeated, one},
        {"forge", think + "</think>" + answer, code_format_repeated, one},
        {"forge", "</think>" + think + answer, code_format_repeated, one},
        {"forge", think + answer + think, code_format_repeated, one},
        {"forge", think + answer + " Done.", code_format_trailing, one},
        {"forge", think + answer + "<|im_end|>.", code_format_trailing, one},
        {"forge", think + answer + std::string(1, '\0'), code_format_trailing, one},
        {"forge", think + "<answer>[1.0]</answer>", code_ok, none},
        {"forge", think + "<answer></answer>", code_ok, none},
        {"forge", think + "<answer>Impossible</answer>", code_ok, {-2, 0}},
        {"forge_prefilled", "so</think>" + answer, code_ok, one},
        {"forge_prefilled", "\n" + think + answer, code_ok, one},  // the template's tag, repeated
        {"forge_prefilled", "so " + think + answer, code_format_repeated, one},
        {"forge_prefilled", "<think> </think>" + answer, code_format_missing_reasoning, one},
        {"forge_prefilled", "</think>" + answer, code_format_missing_reasoning, one},
        {"forge_prefilled", answer, code_format_missing_reasoning, one},
        {"forge_prefilled", "so <answer>[2]</answer></think>" + answer, code_ok, one},
        {"forge_prefilled", "so " + answer + "</think>", code_format_missing_answer, none},
        {"forge_prefilled", "so</think></think>" + answer, code_format_repeated, one},
        {"answer_only", answer, code_ok, one},
        {"answer_only", "<think>unclosed " + answer + " \r\n", code_format_missing_answer, none},
        {"answer_only", "no tags", code_format_missing_answer, none},
        {"answer_only", "<answer>[2]</answer>" + answer, code_format_repeated, one},
        {"answer_only", "I use <answer> tags: " + answer, code_format_repeated, one},
        {"answer_only", answer + "!", code_format_trailing, one},
        {"boxed", "so \\boxed{[1]}.", code_ok, one},
        {"boxed", "\\boxed{[2]} no, $\\boxed{[1]}$ is right", code_ok, one},
        {"boxed", "\\boxed{ \\{ {[1]} \\} }", code_ok, {1, 1, 1}},
        {"boxed", "\\fbox{[1]}", code_ok, one},
        {"boxed", "\\boxed {[1]}", code_ok, one},
        {"boxed", "\\framebox{[1]} of \\frac{1}{2}", code_ok, one},
        {"boxed", "<|begin_of_box|>[1]<|end_of_box|>", code_ok, one},
        {"boxed", "<|begin_of_box|>[1]", code_format_missing_answer, none},
        {"boxed", "\boxed{[1]}", code_ok, one},  // \b became a backspace
        {"boxed", "\\boxed{\\boxed{[1]}}", code_ok, one},
        {"boxed", "[1]", code_format_missing_answer, none},
        {"boxed", "\\boxed{[1]", code_format_missing_answer, none},
        {"boxed", "\\boxed{[1]} then \\boxed{[2]", code_format_missing_answer, none},
        {"boxed", "\\boxed [1]", code_format_missing_answer, none},
        {"boxed", "\\boxed{[1]\\", code_format_missing_answer, none},
        {"answer_line", "so\nAnswer: [1]\n", code_ok, one},
        {"answer_line", "Answer: [2]\nno\nANSWER: [1]<|eot_id|>", code_ok, one},
        {"answer_line", "the final answer\xEF\xBC\x9A [1]", code_ok, one},
        {"answer_line", "**Answer:** [1]", code_ok, one},
        {"answer_line", "__Final Answer__ : [1]", code_ok, one},
        {"answer_line", "**Answer**\xC2\xA0: [1]", code_ok, one},
        {"answer_line", "*Answer:* [1]", code_ok, one},
        {"answer_line", "Answer          : [1]", code_format_missing_answer, none},
        {"harmony", "<|channel|>final <|constrain|>json<|message|>" + answer, code_ok, one},
        {"harmony", "<|channel|>final json<|message|>" + answer + "<|return|>", code_ok, one},
        {"harmony", "<|channel|>analysis<|message|>so<|channel|>final {}<|message|>" + answer,
         code_format_missing_answer, none},
        {"answer_line", "Answer [1]", code_format_missing_answer, none},
        {"answer_line", "the answer", code_format_missing_answer, none},
        {"answer_line", "Answer: [2]\n**Wrong** Answer: [1]", code_format_missing_answer, none},
        {"answer_line", "maybe the answer: [1]", code_format_missing_answer, none},
        {"answer_line", "That was wrong. Answer: [1]", code_ok, one},
        {"answer_line", "Wrong answer: [2]\nAnswer: [1]", code_ok, one},
        {"answer_line", "Answer: [1]\nIt is short.", code_ok, none},
        {"answer_line", "Answer:", code_ok, none},
    };
    for (judged const& each : table) {
        scanned const got = fast(each.text, format_named(each.format));
        EXPECT_EQ(got.format_code, each.code) << each.format << ": " << each.text;
        EXPECT_EQ(got.words, each.words) << each.format << ": " << each.text;
        EXPECT_EQ(got, slow(each.text, format_named(each.format))) << each.format << ": " << each.text;
    }
}

TEST(scanner, the_span_marks_the_answer_in_the_completion) {
    std::string const text = "<think>x</think>\n<answer>\n [1, 2] </answer>";
    text_span const span = fast(text, format_named("forge")).span;
    EXPECT_EQ(text.substr(std::size_t(span.begin), std::size_t(span.end - span.begin)), "[1, 2]");
    EXPECT_EQ(fast("nothing", format_named("forge")).span, text_span{});
}

TEST(scanner, reasoning_can_be_asked_for_in_front_of_a_box) {
    format_spec format = format_named("boxed");
    format.reasoning = reasoning_rule::required;
    format.tail = tail_rule::strict;
    EXPECT_EQ(fast("<think>\\boxed{[2]}</think>\\boxed{[1]}</s>", format).format_code, code_ok);
    EXPECT_EQ(fast("<think>\\boxed{[1]}</think>", format).format_code, code_format_missing_answer);
    EXPECT_EQ(fast("\\boxed{[1]}", format).format_code, code_format_missing_reasoning);
    EXPECT_EQ(fast("<think>x</think>\\boxed{[1]}.", format).format_code, code_format_trailing);
}

std::string generated(std::mt19937_64& random) {
    auto const draw = [&](std::size_t n) { return std::size_t(random() % n); };
    auto const pieces = [&](std::size_t most) {
        std::string made;
        for (std::size_t count = draw(most); count > 0; --count) {
            made.insert(draw(4) == 0 ? draw(made.size() + 1) : made.size(), fragments()[draw(fragments().size())]);
        }
        return made;
    };
    if (draw(2) == 0) {
        return pieces(12);
    }
    // A sound completion around a list with few faults, so that every code is reached.
    std::string text = "<think>" + std::string(draw(100), 'r') + "</think>\n<answer>[";
    text += draw(3) == 0 ? pieces(3) : "1, [2, 3], 4";
    text += (draw(2) == 0 ? ", " : "") + pieces(4) + (draw(8) == 0 ? "" : "]") + "</answer>";
    text += draw(4) == 0 ? pieces(3) : "";
    for (std::size_t count = draw(3); count > 0 && !text.empty(); --count) {
        std::size_t const at = draw(text.size());
        switch (draw(4)) {
            case 0: text[at] = char(random() & 0xFF); break;
            case 1: text.erase(at, 1 + draw(8)); break;
            case 2: text.resize(at); break;
            default: text += text.substr(at, 40); break;
        }
    }
    return text;
}

TEST(scanner, agrees_with_its_twin_on_generated_and_mutated_completions) {
    std::mt19937_64 random(20'251);
    std::vector<std::int64_t> seen(shared_code_count, 0);
    for (int i = 0; i < testing::repeats(60'000); ++i) {
        std::string const text = generated(random);
        // forge, a format of the first five and two of the others, unchanged and with the other tail.
        for (std::size_t const f : {std::size_t(0), random() % 5, 5 + random() % (formats().size() - 5),
                                    5 + random() % (formats().size() - 5)}) {
            format_spec format = formats()[f];
            if (f > 0 && random() % 2 == 0) {
                format.tail = format.tail == tail_rule::strict ? tail_rule::lenient : tail_rule::strict;
            }
            auto const finished = finish(random() % 4);
            scanned const got = fast(text, format, finished);
            ASSERT_EQ(got, slow(text, format, finished)) << to_json(format) << int(finished) << ": " << text;
            ++seen[std::size_t(got.format_code != code_ok ? got.format_code : got.answer_code)];
        }
    }
    for (std::int32_t const code :
         {code_ok, code_format_missing_reasoning, code_format_missing_answer, code_format_repeated,
          code_format_trailing, code_unparsable, code_bad_depth, code_not_integer, code_overflow, code_empty}) {
        EXPECT_GT(seen[std::size_t(code)], 20) << "the generator hardly reaches code " << code;
    }
}

TEST(scanner, agrees_with_its_twin_on_fenced_blocks) {
    std::mt19937_64 random(20'263);
    std::vector<std::string> const pieces{"```",
                                          "````",
                                          "~~~",
                                          "`",
                                          "\n",
                                          "\n",
                                          "\n",
                                          "\n",
                                          " ",
                                          "    ",
                                          "python",
                                          "cpp",
                                          "[1, 2]",
                                          "<think>",
                                          "</think>",
                                          "<|im_end|>",
                                          "\r",
                                          "print(1)",
                                          "json",
                                          "\n```\n[1, 2]\n```\n",
                                          "\n```\n[1, 2]\n```\n",
                                          "~~~py\n[0]\n~~~",
                                          "<think>so</think>"};
    std::vector<std::int64_t> seen(shared_code_count, 0);
    for (int i = 0; i < testing::repeats(30'000); ++i) {
        std::string text;
        for (std::size_t k = random() % 24; k > 0; --k) {
            text += pieces[random() % pieces.size()];
        }
        format_spec format = program_formats()[random() % program_formats().size()];
        format.tail = random() % 2 == 0 ? tail_rule::strict : tail_rule::lenient;
        format.reasoning = random() % 2 == 0 ? reasoning_rule::optional : reasoning_rule::required;
        auto const finished = finish(random() % 4);
        scanned const got = fast(text, format, finished);
        ASSERT_EQ(got, slow(text, format, finished)) << to_json(format) << int(finished) << ": " << text;
        ++seen[std::size_t(got.format_code != code_ok ? got.format_code : got.answer_code)];
    }
    for (std::int32_t const code : {code_ok, code_format_missing_reasoning, code_format_missing_answer,
                                    code_format_repeated, code_format_trailing, code_empty}) {
        EXPECT_GT(seen[std::size_t(code)], 6) << "the generator hardly reaches code " << code;
    }
}

TEST(byte_search, every_instruction_set_finds_the_same_candidates) {
    std::mt19937_64 random(7);
    for (int pairs = 1; pairs <= 4; ++pairs) {
        text::pair_filter filter;
        char const* const starts[] = {"<t", "</", "<a", "Ab"};
        for (int k = 0; k < pairs; ++k) {
            filter.add({k == 3 ? text::any_case : std::uint8_t(0xFF), std::uint8_t(starts[k][0]),
                        std::uint8_t(k == 2 ? 0 : 0xFF), std::uint8_t(k == 2 ? 0 : starts[k][1])});
        }
        for (std::size_t size = 0; size < 400; ++size) {
            std::string text(size, ' ');
            for (char& c : text) {
                c = "<t/aAb    "[random() % 10];
            }
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < size; ++i) {
                for (int k = 0; k < pairs; ++k) {
                    text::byte_pair const p = filter.pairs[std::size_t(k)];
                    unsigned const next = i + 1 < size ? static_cast<unsigned char>(text[i + 1]) : 0;
                    if ((static_cast<unsigned char>(text[i]) & p.keep_first) == p.first &&
                        (next & p.keep_second) == p.second) {
                        expected.push_back(i);
                        break;
                    }
                }
            }
            for (text::byte_search const& search : text::byte_searches()) {
                std::vector<std::size_t> found;
                text::forward_candidates forward(text, filter, search);
                for (std::size_t at = forward.next(); at != text::no_position; at = forward.next()) {
                    found.push_back(at);
                }
                ASSERT_EQ(found, expected) << search.name << " size " << size;
                found.clear();
                text::backward_candidates backward(text, filter, search);
                for (std::size_t at = backward.next(); at != text::no_position; at = backward.next()) {
                    found.push_back(at);
                }
                std::reverse(found.begin(), found.end());
                ASSERT_EQ(found, expected) << search.name << " backward, size " << size;
            }
        }
    }
}

std::string repeated(std::string const& what, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
        text += what;
    }
    return text;
}

TEST(scanner, takes_linear_time_on_hostile_texts) {
    std::vector<std::string> const hostile{"<",
                                           "</",
                                           "<a",
                                           "<answer",
                                           "</think",
                                           "<think>",
                                           "<answer>",
                                           "</answer>",
                                           "<answer></answer>",
                                           "\\boxed{",
                                           "\\",
                                           "{",
                                           "}",
                                           "Answer:",
                                           "answer",
                                           "an",
                                           "[",
                                           "(",
                                           "]",
                                           "9",
                                           "0",
                                           "-",
                                           ",",
                                           "1,",
                                           "[1],",
                                           "[],",
                                           "(1)\n",
                                           "`",
                                           "```",
                                           "``` ",
                                           "```a ",
                                           "**",
                                           "$",
                                           "\\(",
                                           ".",
                                           " ",
                                           "\n",
                                           "<|im_end|>",
                                           "<|",
                                           "a",
                                           "a:",
                                           "\xEF\xBC\x9A",
                                           std::string(1, '\0')};
    // The release build measures time; reads beyond the text show in short ones.
    auto const bytes = std::size_t(testing::repeats(1'000'000, 30'000));
    for (std::string const& what : hostile) {
        std::string const body = repeated(what, bytes);
        for (std::string const& text : {body, "<think>x</think><answer>" + body + "</answer>", "Answer: [" + body,
                                        "\\boxed{" + body + "}", "<think>x</think><answer>[1]</answer>" + body}) {
            auto const start = std::chrono::steady_clock::now();
            for (format_spec const& format : formats().first(6)) {  // the others differ only in their tags
                fast(text, format);
            }
            std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
            // A quadratic scan takes many minutes; the bound leaves room for sanitizers and busy machines.
            EXPECT_LT(took.count(), 10.0) << "repeated " << what;
        }
    }
}

}  // namespace
}  // namespace optgap
