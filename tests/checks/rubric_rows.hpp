#pragma once
// Rows for property tests of kernels/rubric: random texts against rubrics of every measure and boundary, with the
// results of the host's fast paths. `Run` executes work(team) with some team.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/rubric/compiled.hpp"
#include "kernels/rubric/row.hpp"

namespace optgap::testing {

inline std::vector<rubrics::compiled> every_kind_of_rubric() {
    std::vector<rubrics::compiled> all;
    for (char const* const measure : {"lcs", "recall", "f1", "found", "order"}) {
        for (char const* const boundary : {"auto", "word", "none"}) {
            std::string const text = fmt::format(
                R"({{"chain": 1, "text": {{"part": "all", "boundary": "{}", "strip": {}}},
                "references": ["the data of machine learning, data data; über 日本 C++ don't learn machine  learning ML",
                               "{}"],
                "content": {{"measure": "{}", "points": [
                  {{"references": [{{"keywords": ["machine learning", ["ML", "learning"], "data"]}},
                                   {{"keywords": ["data", "a"]}}]}},
                  {{"references": [{{"keywords": ["日本", "über", "C++", "don't", "machine"]}},
                                   {{"keywords": ["λ", "data a", "a"]}}]}}]}},
                "style": [{{"check": "words", "in": [5, 30]}}, {{"check": "words", "cjk": "runs", "min": 9}},
                          {{"check": "characters", "max": 90}}, {{"check": "bytes", "max": 90}},
                          {{"check": "letters", "ratio_min": 600}}, {{"check": "digits", "ratio_max": 100}},
                          {{"check": "numbers", "min": 1}}, {{"check": "lines", "in": [2, 4]}},
                          {{"check": "punctuation", "ratio_max": 50}}, {{"check": "pieces", "min": 12}},
                          {{"check": "sentences", "min": 2}}]}})",
                boundary, measure[0] == 'f' ? "false" : "true",
                // More symbols than a block has bits.
                [] {
                    std::string many;
                    for (int k = 0; k < 90; ++k) {
                        many += k % 3 == 0 ? "data a " : "λ a ";
                    }
                    return many;
                }(),
                measure);
            all.emplace_back(rubrics::read_rubric(text, std::nullopt));
        }
    }
    return all;
}

inline std::string some_text(std::mt19937_64& draw, bool ascii) {
    static char const* const plain[] = {"data", "a", "machine", "learning", "ML", "C++", "don't", "the", "12",   "x_y",
                                        " ",    " ", " ",       "\n",       ". ", "-",   "  ",    "\t",  "dataa"};
    static char const* const wide[] = {
        "日本",         "über", "Über", "λ",        "\xF0\x9F\x98\x80", "\xE2\x9D\xA4\xEF\xB8\x8F",
        "\xE2\x80\x8B", "\xFF", "\xC3", "\xE6\x97", "\xED\xA0\x80",     "ー",
        "\u0661",       "dаta", "。",   "\u3000",   "\xF4\x90\x80\x80", "\x80\x80\x80\x80\x80"};
    std::string text;
    for (std::size_t k = draw() % 90; k > 0; --k) {
        text += !ascii && draw() % 3 == 0 ? wide[draw() % std::size(wide)] : plain[draw() % std::size(plain)];
        text += draw() % 2 == 0 ? " " : "";
    }
    return text;
}

/// Scores each of `rows` texts against a rubric. The results of `Run` must equal the host's.
template <class Run>
void expect_rows_of_the_host(int rows, Run const& run) {
    std::vector<rubrics::compiled> const rubrics = every_kind_of_rubric();
    std::mt19937_64 draw(23);
    std::int64_t matched = 0, passed = 0, failed = 0;
    for (int r = 0; r < rows; ++r) {
        rubrics::compiled const& of = rubrics[std::size_t(r) % rubrics.size()];
        std::string const text = some_text(draw, r % 2 == 0);
        rubrics::score_buffers& by = rubrics::buffers_of_thread();
        std::string_view checked;
        static_cast<void>(rubrics::read_input(of.data, {.text = text}, by, checked));
        of.lists.run(by.ready, by.state, by.lists);
        rubrics::scan(checked, rubrics::sentence_rule::plain, by.pass);

        std::vector<rubrics::list_view> lists;
        rubrics::rubric_view view;
        ASSERT_TRUE(of.lists.view(lists, view.lists));
        std::vector<rubrics::counter_check> checks;
        std::vector<std::size_t> which;
        for (std::size_t k = 0; k < of.checks.size(); ++k) {
            if (std::optional<rubrics::counter_check> const one = of.checks[k].of_counter()) {
                checks.push_back(*one);
                which.push_back(k);
            }
        }
        ASSERT_EQ(checks.size() + 1, of.checks.size()) << "all but sentences are counters";
        view.checks = checks.data();
        view.check_count = std::int32_t(checks.size());
        std::vector<std::uint64_t> places(by.ready.size / 64 + 1, ~std::uint64_t(0));
        std::vector<std::uint64_t> open(of.lists.open_blocks(), 5);
        std::vector<std::uint8_t> seen(of.lists.symbols(), 7);
        std::vector<rubrics::list_score> scores(lists.size(), {77, 77, 77});
        std::vector<std::int64_t> counters(std::size_t(rubrics::counter::count), -7);
        std::vector<rubrics::counter_result> results(checks.size(), {77, 77, 77});
        rubrics::rubric_row const row{by.ready.flat(),
                                      checked.data(),
                                      std::int64_t(checked.size()),
                                      0,
                                      {places.data(), open.data(), seen.data()},
                                      scores.data(),
                                      counters.data(),
                                      results.data()};
        run([&](auto& team) { score_rubric_row(team, view, rubrics::point_properties_table(), row); });

        ASSERT_EQ(scores, by.lists) << text;
        for (rubrics::list_score const& one : scores) {
            matched += one.numerator;
        }
        rubrics::text_counts const& c = by.pass.counts;
        std::vector<std::int64_t> wanted{c.bytes, c.characters, c.broken,  c.letters, c.upper,
                                         c.lower, c.digits,     c.numbers, c.spaces,  c.punctuation,
                                         c.emoji, c.hidden,     c.words,   c.pieces,  c.cjk};
        wanted.push_back(checked.empty() ? 0 : std::int64_t(by.pass.lines().size()));
        wanted.push_back(counters[std::size_t(rubrics::counter::words_apart)]);  // by the check of words, below
        wanted.insert(wanted.end(), c.script_letters.begin(), c.script_letters.end());
        ASSERT_EQ(counters, wanted) << text;
        for (std::size_t k = 0; k < results.size(); ++k) {
            rubrics::check_result const said = of.checks[which[k]].evaluate({.text = by.pass});
            rubrics::counter_result const expected{said.value, said.of, said.passed ? 1 : 0};
            ASSERT_EQ(results[k], expected) << of.checks[which[k]].title() << ": " << text;
            (said.passed ? passed : failed) += 1;
        }
    }
    EXPECT_GT(matched, rows);
    EXPECT_GT(passed, rows);
    EXPECT_GT(failed, rows);
}

}  // namespace optgap::testing
