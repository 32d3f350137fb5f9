// Rubrics: test vectors of the authors' function, the bits against the table, refusals, gates' factors.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/rubric/content/matcher.hpp"
#include "host/rubric/content/python_case.hpp"
#include "host/rubric/content/visible.hpp"
#include "host/rubric/gates.hpp"
#include "host/rubric/rubric_data.hpp"
#include "optgap/rubrics/rubric.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

constexpr char paris[] =
    "The capital of France is Paris. Paris lies on the Seine. The Seine flows through Paris to the sea.";

std::string paris_rubric(char const* preset) {
    return fmt::format(R"({{"chain": 1, "preset": "{}", "references": ["{}"], "content": {{"points": [)"
                       R"({{"references": [{{"keywords": ["capital", "France", "Paris"]}}]}},)"
                       R"({{"references": [{{"keywords": ["Seine", "Paris", "sea"]}}]}}]}}}})",
                       preset, paris);
}

std::string repeated(std::string const& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

std::string refusal_of(std::string const& rubric) {
    try {
        text_rubric const read(rubric);
    } catch (field_error const& refused) {
        return refused.field();
    }
    return "nothing";
}

TEST(rubric, the_published_function_rewards_its_vectors) {
    text_rubric const rubric(paris_rubric("repo"));
    std::string const list = "capital France Paris Paris Seine Seine Paris sea";
    auto const content = [&](std::string const& text) { return rubric.score({.text = text}).content; };
    EXPECT_EQ(content(paris), 1.0);
    EXPECT_EQ(content(list), 1.0);
    EXPECT_EQ(content(repeated(list + " ", 3)), (5.0 / 15 + 6.0 / 18) / 2);
    EXPECT_EQ(content("capital France Paris Seine sea"), (3.0 / 5 + 3.0 / 6) / 2);
    EXPECT_EQ(content(paris + repeated(" bla", 2000)), 1.0);
    EXPECT_EQ(
        content("The capital of France is not Paris. No Paris, no Seine, and the Seine never meets Paris or the sea."),
        1.0);
    EXPECT_NEAR(
        content("sea the to Paris through flows Seine The Seine the on lies Paris Paris is France of capital The"),
        .6333, 5e-5);
    EXPECT_EQ(content(""), 0.0);
}

TEST(rubric, our_gates_hold_back_what_the_published_function_rewards) {
    text_rubric const rubric(paris_rubric("ours"));
    EXPECT_EQ(rubric.score({.text = paris}).total, 1.0);
    // Eight words instead of nineteen: 1024 * (3 * 8 - 19) / 19 by length. Such a short reference is dense itself.
    text_score const list = rubric.score({.text = "capital France Paris Paris Seine Seine Paris sea"});
    EXPECT_EQ(list.factor, 269);
    EXPECT_LT(list.total, 0.27);
    EXPECT_EQ(rubric.score({.text = paris + repeated(" bla", 2000)}).total, 0.0);
    EXPECT_EQ(rubric.score({.text = ""}).total, 0.0);
}

TEST(rubric, bits_count_what_the_table_counts) {
    std::mt19937 random(11);
    for (int round = 0; round < 400; ++round) {
        int const symbols = 1 + int(random() % 6);
        std::size_t const length = random() % (round % 4 == 0 ? 300 : 70);
        auto const draw = [&](std::size_t count) {
            std::string text;
            for (std::size_t i = 0; i < count; ++i) {
                text += fmt::format("k{} ", random() % unsigned(symbols));
            }
            return text;
        };
        std::string keywords;
        for (int i = 0; i < symbols; ++i) {
            keywords += fmt::format("{}\"k{}\"", i == 0 ? "" : ",", i);
        }
        std::string const reference = draw(length), text = draw(random() % 200);
        text_rubric const rubric(
            fmt::format(R"({{"chain": 1, "preset": "paper", "references": ["{}"], "content": {{"points": [)"
                        R"({{"references": [{{"keywords": [{}]}}]}}]}}}})",
                        reference, keywords));
        std::vector<std::int32_t> first, second;
        for (std::string const* of : {&reference, &text}) {
            for (std::size_t at = of->find('k'); at != of->npos; at = of->find('k', at + 1)) {
                (of == &reference ? first : second).push_back((*of)[at + 1]);
            }
        }
        std::vector<std::uint8_t> const path = common_path(first, second);
        point_score const found = rubric.score({.text = text}).points[0];
        std::size_t const longer = std::max(first.size(), second.size());
        ASSERT_EQ(found.numerator, std::count(path.begin(), path.end(), 1)) << reference << "|" << text;
        ASSERT_EQ(found.denominator, longer == 0 || found.numerator == 0 ? 1 : std::int32_t(longer));
    }
}

TEST(rubric, a_rubric_is_read_back_as_it_was_written) {
    for (char const* const preset : {"paper", "repo", "ours", "found", "bleu", "no_weights"}) {
        text_rubric const rubric(paris_rubric(preset));
        text_rubric const again(rubric.to_json());
        EXPECT_EQ(again.to_json(), rubric.to_json());
        EXPECT_EQ(again.key(), rubric.key());
        if (std::string(preset) != "bleu") {
            text_rubric const lean(rubric.to_json(false));
            EXPECT_EQ(lean.key(), rubric.key());
            EXPECT_EQ(lean.score({.text = paris}).total, rubric.score({.text = paris}).total);
        }
    }
}

TEST(rubric, what_is_wrong_is_refused_by_its_field) {
    EXPECT_EQ(refusal_of("{"), "chain");
    EXPECT_EQ(refusal_of("{}"), "chain.chain");
    EXPECT_EQ(refusal_of(R"({"chain": 2})"), "chain.chain");
    EXPECT_EQ(refusal_of(R"({"chain": 1})"), "content");
    EXPECT_EQ(refusal_of(R"({"chain": 1, "colour": 1})"), "colour");
    EXPECT_EQ(refusal_of(R"({"chain": 1, "preset": "mine"})"), "preset");
    EXPECT_EQ(refusal_of(R"({"chain": 1, "preset": "paper", "gates": []})"), "gates");
    EXPECT_EQ(refusal_of(std::string(100, '[') + std::string(100, ']')), "chain");
    auto const with = [](std::string const& reference, std::string const& more) {
        return R"({"chain": 1, "content": {"points": [{"references": [)" + reference + "]}]}" + more + "}";
    };
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"]})", "")), "content.points[0].references[0].sequence");
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"], "sequence": [1], "words": 9})", "")),
              "content.points[0].references[0].sequence[0]");
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"], "sequence": [0]})", "")), "content.points[0].references[0].words");
    char const* const lean = R"({"keywords": ["a"], "sequence": [0], "words": 9})";
    // Gates that have nothing to compare with.
    EXPECT_EQ(refusal_of(with(lean, "")), "limits.repetition");
    EXPECT_EQ(refusal_of(with(lean, R"(, "limits": {"repetition": 900, "copy": 0})")), "limits.hidden");
    EXPECT_EQ(refusal_of(with(lean, R"(, "limits": {"repetition": 900, "copy": 0, "hidden": 0})")), "nothing");
    EXPECT_EQ(refusal_of(with(lean, R"(, "gates": ["density", "length"])")), "nothing");
    EXPECT_EQ(refusal_of(with(R"({"keywords": [], "sequence": []})", "")), "content.points[0].references[0].keywords");
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"], "sequence": [0, 0]})", R"(, "references": ["a b"])")),
              "content.points[0].references[0].sequence");
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"]})", R"(, "total": {"style": 1})")), "total.style");
    EXPECT_EQ(refusal_of(with(R"({"keywords": ["a"]})", R"(, "references": ["a"], "total": {"content": 0.1234567})")),
              "total.content");
}

TEST(rubric, a_keyword_out_of_order_raises_a_point_by_no_more_than_its_share) {
    text_rubric const rubric(paris_rubric("paper"));
    std::string text = "France";
    for (char const* const next : {"sea", "Seine", "capital", "Paris", "sea", "capital", "Paris", "Seine"}) {
        point_score const before = rubric.score({.text = text}).points[0];
        text += std::string(" ") + next;
        point_score const after = rubric.score({.text = text}).points[0];
        EXPECT_LE(after.value(), before.value() + 1.0 / after.denominator + 1e-15) << text;
    }
}

TEST(rubric, weights_of_ours_are_a_scale) {
    auto const with = [](char const* one, char const* other) {
        return fmt::format(R"({{"chain": 1, "style": [{{"check": "words", "min": 2, "weight": {}}},)"
                           R"({{"check": "sentences", "min": 9, "weight": {}}}]}})",
                           one, other);
    };
    EXPECT_EQ(text_rubric(with("0.1", "0.3")).score({.text = "a b c"}).total, 0.25);
    EXPECT_EQ(text_rubric(with("2", "6")).score({.text = "a b c"}).total, 0.25);
}

TEST(rubric, words_of_scripts_without_spaces_are_found_and_mixed_scripts_are_not) {
    auto const found = [](std::string const& keyword, std::string const& text, char const* boundary) {
        text_rubric const rubric(fmt::format(
            R"({{"chain": 1, "text": {{"boundary": "{}"}}, "gates": [], "references": ["{}"], "content": {{"points": [)"
            R"({{"references": [{{"keywords": ["{}"]}}]}}]}}}})",
            boundary, keyword, keyword));
        return rubric.score({.text = text}).points[0].numerator;
    };
    EXPECT_EQ(found("机器", "我们学习机器学习。", "auto"), 1);
    EXPECT_EQ(found("机器", "我们学习机器学习。", "word"), 0);
    EXPECT_EQ(found("data", "metadata", "auto"), 0);
    EXPECT_EQ(found("data", "metadata", "none"), 1);
    EXPECT_EQ(found("C++", "we write C++, not C", "auto"), 1);
    EXPECT_EQ(found("machine learning", "Machine \n\t LEARNING", "auto"), 1);
    EXPECT_EQ(found("paris", "p\u0430ris", "auto"), 0);
    EXPECT_EQ(found("sea", "s\u200bea", "auto"), 1);
}

TEST(rubric, what_is_out_of_sight_is_not_matched) {
    std::string buffer;
    EXPECT_EQ(outside_fences("plain text", buffer), "plain text");
    EXPECT_EQ(outside_fences("a\n```py\nb\n```\nc", buffer), "a\n\n\nc");
    EXPECT_EQ(outside_fences("a\n~~~\nb", buffer), "a\n\n");
    EXPECT_EQ(outside_fences("a <!-- b --> c", buffer), "a \n c");
    EXPECT_EQ(outside_fences("a <!-- b", buffer), "a \n");
    EXPECT_EQ(outside_fences("[a](b c) d", buffer), "[a\n d");
    std::string_view seen;
    EXPECT_TRUE(answer_text("<think>x</think> y", text_part::answer, "", seen));
    EXPECT_EQ(seen, " y");
    EXPECT_FALSE(answer_text("<think>x y", text_part::answer, "", seen));
    EXPECT_TRUE(answer_text("<think>x y", text_part::all, "", seen));
    EXPECT_TRUE(answer_text("<think>x</think><answer>z</answer>", text_part::answer, "forge", seen));
    EXPECT_EQ(seen, "z");
}

TEST(rubric, reasoning_ends_where_its_last_mark_does) {
    char const* const pieces[] = {"</think>", "</think", "<", "/", "think>", ">", "a"};
    std::mt19937 random(5);
    for (int trial = 0; trial < 2000; ++trial) {
        std::string text;
        for (std::size_t left = random() % 9; left > 0; --left) {
            text += pieces[random() % std::size(pieces)];
        }
        std::size_t const last = text.rfind("</think>");
        std::string_view seen;
        EXPECT_TRUE(answer_text(text, text_part::answer, "", seen) || text.find("<think>") != text.npos);
        EXPECT_EQ(seen, last == text.npos ? text : text.substr(last + 8)) << text;
    }
}

TEST(rubric, a_gate_falls_in_a_straight_line) {
    EXPECT_EQ(falling(10, 10, 20), 1024);
    EXPECT_EQ(falling(15, 10, 20), 512);
    EXPECT_EQ(falling(20, 10, 20), 0);
    gate_limits limits;
    limits.words = {90, 300};
    limits.density = 100;
    EXPECT_EQ(gate_of_length(60, limits).factor, 1024);
    EXPECT_EQ(gate_of_length(45, limits).factor, 512);
    EXPECT_EQ(gate_of_length(30, limits).factor, 0);
    EXPECT_EQ(gate_of_length(135, limits).factor, 1024);
    EXPECT_EQ(gate_of_length(450, limits).factor, 1024);
    EXPECT_EQ(gate_of_length(900, limits).factor, 0);
    EXPECT_EQ(density_factor(250, limits), 1024);
    EXPECT_EQ(density_factor(425, limits), 512);
    EXPECT_EQ(density_factor(600, limits), 0);
}

gate_score gate_of(text_score const& found, gate which) {
    auto const place = std::ranges::find(found.gates, which, &gate_score::which);
    return place == found.gates.end() ? gate_score{which, -1, -1} : *place;
}

TEST(rubric, copy_holds_a_text_against_the_references_by_the_prompt_that_the_row_has) {
    std::string const prompt =
        "Say again what was said before: one two three four five six seven eight nine ten eleven.";
    std::string const quoting =
        "You said: one two three four five six seven eight nine ten eleven. That was all of it.";
    auto const rubric_of = [](std::string const& reference, std::string const& own_prompt) {
        return text_rubric(fmt::format(R"({{"chain": 1, "references": ["{}"], "prompt": "{}", "gates": ["copy"],)"
                                       R"("content": {{"points": [{{"references": [{{"keywords": ["said"]}}]}}]}}}})",
                                       reference, own_prompt));
    };
    text_rubric const beside = rubric_of(quoting, ""), inside = rubric_of(quoting, prompt);
    gate_score const by_row = gate_of(beside.score({.text = quoting, .prompt = prompt}), gate::copy);
    EXPECT_EQ(by_row, (gate_score{gate::copy, 363, full_factor, 363}));  // four of eleven runs of eight words
    EXPECT_EQ(gate_of(inside.score({.text = quoting}), gate::copy), by_row);
    // Without the reference's text the rubric's own number is used.
    text_rubric const lean(inside.to_json(false));
    EXPECT_EQ(gate_of(lean.score({.text = quoting, .prompt = prompt}), gate::copy), by_row);
    // Another prompt than the rubric's: both sides use the row's.
    EXPECT_EQ(gate_of(rubric_of(quoting, "Why?").score({.text = quoting, .prompt = prompt}), gate::copy), by_row);
    // A copy that no reference quotes is penalised, whatever was scored before.
    text_rubric const plain = rubric_of("Nothing of it is repeated here by me, and I said so before, twice.", "");
    EXPECT_EQ(gate_of(plain.score({.text = prompt, .prompt = prompt}), gate::copy).factor, 0);
    EXPECT_EQ(gate_of(beside.score({.text = prompt, .prompt = prompt}), gate::copy).factor, 0);
    EXPECT_EQ(gate_of(beside.score({.text = quoting, .prompt = prompt}), gate::copy), by_row);
    EXPECT_EQ(gate_of(plain.score({.text = quoting, .prompt = prompt}), gate::copy).factor, 400);  // 500 - 363 of 350
}

TEST(rubric, density_adds_up_one_reference_where_a_point_lacks_another) {
    text_rubric const rubric(
        R"({"chain": 1, "references": ["alpha one two three", "beta gamma five six"], "gates": ["density", "length"],)"
        R"("content": {"points": [{"references": [{"keywords": ["alpha"]}, {"keywords": ["beta"]}]},)"
        R"({"references": [{"keywords": ["gamma"], "of": 1}]}]}})");
    EXPECT_EQ(gate_of(rubric.score({.text = "beta gamma five six"}), gate::density).value, 500);
    EXPECT_EQ(gate_of(rubric.score({.text = "alpha gamma five six"}), gate::density).value, 250);  // one of each
    // Twice the densest reference is below two and a half times it.
    EXPECT_EQ(gate_of(rubric.score({.text = "beta gamma beta gamma"}), gate::density).factor, full_factor);
}

TEST(rubric, length_is_of_references_and_not_of_places_in_points) {
    text_rubric const rubric(
        R"({"chain": 1, "references": ["alpha one two", "a b c d e f g h i j k l m n o p q r s t u v w x y beta"],)"
        R"("gates": ["length"], "content": {"points": [{"references": [{"keywords": ["beta"], "of": 1}]},)"
        R"({"references": [{"keywords": ["alpha"], "of": 0}]}]}})");
    EXPECT_EQ(gate_of(rubric.score({.text = "alpha one two"}), gate::length).factor, full_factor);
}

TEST(rubric, classes_of_ignorecase_are_those_of_python) {
    // Pairs that CPython 3.11 matches under IGNORECASE, and pairs that it does not.
    for (auto const& [one, other] : {std::pair<char32_t, char32_t>{0x130, 'i'},
                                     {0x131, 'I'},
                                     {0x17F, 's'},
                                     {0x212A, 'K'},
                                     {0x3C2, 0x3A3},
                                     {0xB5, 0x39C},
                                     {0x1E9E, 0xDF},
                                     {0xFB05, 0xFB06},
                                     {0x1C80, 0x412},
                                     {0x10400, 0x10428}}) {
        EXPECT_EQ(ignorecase_class(one), ignorecase_class(other)) << std::uint32_t(one);
    }
    for (auto const& [one, other] :
         {std::pair<char32_t, char32_t>{0xDF, 's'}, {0xE9, 'e'}, {0xFB01, 'f'}, {0x2160, 'I'}}) {
        EXPECT_NE(ignorecase_class(one), ignorecase_class(other)) << std::uint32_t(one);
    }
}

TEST(rubric, hostile_texts_take_time_in_proportion_to_their_length) {
    text_rubric const rubric(paris_rubric("ours"));
    std::vector<std::string> const units = {"Seine Paris sea ", "a",      "```\n",       "<!-- ", "](",
                                            "\xFF\xFE ",        "\u200b", "p\u0430ris ", "[",     "\n"};
    for (std::string const& unit : units) {
        double seconds[2];
        for (int size = 0; size < 2; ++size) {
            std::string const text = repeated(unit, int((size == 0 ? 200'000 : 1'600'000) / unit.size()));
            double best = 1e9;
            for (int round = 0; round < 2; ++round) {
                auto const begin = std::chrono::steady_clock::now();
                (void)rubric.score({.text = text});
                best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            }
            seconds[size] = best;
        }
        EXPECT_LT(seconds[1], seconds[0] * 40 + 0.05) << unit;  // eight times the text; 64 if quadratic
    }
}

TEST(rubric, rows_are_the_same_side_by_side_and_one_by_one) {
    std::vector<text_rubric> const rubrics = {text_rubric(paris_rubric("ours")), text_rubric(paris_rubric("repo"))};
    std::vector<std::string> texts;
    for (int i = 0; i < 200; ++i) {
        texts.push_back(std::string(paris).substr(std::size_t(i) % 60) + repeated(" Seine", i % 7));
    }
    std::vector<text_input> inputs;
    std::vector<std::int32_t> rubric_of;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        inputs.push_back({.text = texts[i]});
        rubric_of.push_back(std::int32_t(i % 2));
    }
    std::vector<text_score> const found =
        score_all({.rubrics = rubrics, .texts = inputs, .rubric_of = rubric_of, .threads = 3});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        text_score const alone = rubrics[i % 2].score(inputs[i]);
        EXPECT_EQ(found[i].total, alone.total);
        EXPECT_EQ(found[i].points, alone.points);
        EXPECT_EQ(found[i].gates, alone.gates);
    }
}

}  // namespace
}  // namespace optgap::rubrics
