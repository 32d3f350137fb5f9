// Properties of every kind of rows of this build, tested over rows of all kinds (tests/rows/rows.jsonl).

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "host/rows/scorer.hpp"
#include "optgap/rows/scorer.hpp"

namespace optgap::rows {
namespace {

engine const& row_engine() {
    static engine const made({.where = device::cpu, .threads = 2});
    return made;
}

std::vector<std::string> const& row_lines() {
    static std::vector<std::string> const all = [] {
        std::vector<std::string> out;
        std::ifstream file("tests/rows/rows.jsonl");
        for (std::string line; std::getline(file, line);) {
            if (!line.empty()) {
                out.push_back(line);
            }
        }
        return out;
    }();
    return all;
}

score_options row_options() {
    score_options out;
    out.kinds.flag({.name = "external"}) = true;
    return out;
}

/// The output of a run over the lines, in calls of `piece` rows; spans of text and numbers, by line.
std::vector<std::string> written_in_pieces(scorer& by, std::size_t piece) {
    by.forget();
    std::vector<std::string> const& lines = row_lines();
    std::vector<graded_row> graded;
    std::vector<row_item> items(lines.size());
    for (std::size_t begin = 0; begin < lines.size(); begin += piece) {
        std::size_t const count = std::min(piece, lines.size() - begin);
        for (std::size_t i = begin; i < begin + count; ++i) {
            items[i].take(lines[i], std::int64_t(i) + 1);
        }
        std::vector<graded_row> const some = by.score(std::span(items).subspan(begin, count));
        graded.insert(graded.end(), some.begin(), some.end());
    }
    by.settle(graded);
    std::vector<float> const advantages = by.advantages(graded);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::string line;
        if (items[i].sound()) {
            row_writer writer(line, nullptr);
            by.write(writer, graded[i], advantages[i], true);
            writer.finish();
        } else {
            line = items[i].field + ": " + items[i].rule;
        }
        out.push_back(line);
    }
    return out;
}

TEST(row_kinds, declare_names_columns_and_options_that_no_other_has) {
    std::set<std::string_view> names, options;
    std::set<std::int32_t> ranks;
    for (kind_entry const& kind : kind_entries()) {
        EXPECT_TRUE(names.insert(kind.info->name).second) << kind.info->name;
        EXPECT_TRUE(ranks.insert(kind.info->rank).second) << "the rank of " << kind.info->name;
        EXPECT_FALSE(kind.info->known_by.empty() || kind.info->page.empty()) << kind.info->name;
        std::set<std::string_view> columns;
        for (column const& one : kind.info->adds) {
            EXPECT_TRUE(columns.insert(one.name).second) << one.name;
            EXPECT_FALSE(one.meaning.empty()) << one.name;
        }
        for (option const& one : kind.info->options) {
            EXPECT_TRUE(options.insert(one.name).second) << one.name;
            EXPECT_FALSE(one.help.empty()) << one.name;
        }
    }
    EXPECT_EQ(options.size(), kind_options().size());
    EXPECT_GE(names.size(), 6u);
}

TEST(row_kinds, have_codes_that_no_other_has) {
    std::set<std::int32_t> codes;
    for (kind_entry const& kind : kind_entries()) {
        std::set<std::string_view> names;  // several kinds have `not_run`; a row's kind distinguishes them
        for (std::int32_t code = kind.info->codes.begin; code < kind.info->codes.end; ++code) {
            EXPECT_TRUE(codes.insert(code).second) << code;
            EXPECT_TRUE(names.insert(kind.info->codes.name(code)).second) << kind.info->codes.name(code);
        }
    }
}

TEST(row_kinds, one_at_most_takes_what_is_not_marked) {
    scorer const by(row_engine(), row_options());
    json_row row;
    std::string rule;
    ASSERT_TRUE(row.split("{}", rule));
    int takers = 0;
    for (auto const& kind : by.kinds()) {
        EXPECT_NE(kind->claims(row), claim::marked) << kind->info().name;
        takers += kind->claims(row) == claim::by_default ? 1 : 0;
    }
    EXPECT_EQ(takers, 1);
}

TEST(row_kinds, write_the_columns_that_they_declare) {
    scorer by(row_engine(), row_options());
    std::set<std::string_view> seen;
    for (std::string const& line : row_lines()) {
        row_item item;
        item.take(line, 1);
        std::vector<graded_row> const graded = by.score({&item, 1});
        if (!item.sound()) {
            continue;
        }
        std::string text, rule;
        row_writer writer(text, nullptr);
        by.write(writer, graded[0], 0, true);
        writer.finish();
        json_row row;
        ASSERT_TRUE(row.split(std::string_view(text).substr(0, text.size() - 1), rule)) << rule;
        auto const declared = by.columns(graded[0]);
        std::set<std::string_view> columns(declared.begin(), declared.end()), written;
        for (json_field const& field : row.fields()) {
            EXPECT_TRUE(columns.contains(field.key)) << field.key << " of " << by.kind_name(graded[0]);
            EXPECT_TRUE(written.insert(field.key).second) << field.key;
        }
        seen.insert(by.kind_name(graded[0]));
    }
    EXPECT_EQ(seen.size(), 5u);  // programs are not run here
}

TEST(row_kinds, earn_the_same_however_rows_are_cut_into_calls) {
    scorer by(row_engine(), row_options());
    std::vector<std::string> const whole = written_in_pieces(by, row_lines().size());
    for (std::size_t const piece : {std::size_t(1), std::size_t(7), std::size_t(64)}) {
        EXPECT_EQ(written_in_pieces(by, piece), whole) << piece;
    }
}

TEST(row_kinds, forget_a_run_and_keep_its_baselines) {
    scorer by(row_engine(), row_options());
    std::vector<std::string> const first = written_in_pieces(by, 32);
    EXPECT_EQ(written_in_pieces(by, 32), first);
}

TEST(row_scorer, gives_rows_of_json_for_rows_of_json) {
    row_scorer by(row_engine(), R"({"external": true, "reward": {"infeasible": "graded"}})");
    std::vector<std::string> const given{
        R"({"id":7,"key":"mine/toy@1:train:d3:17","completion":"<think>x</think><answer>7</answer>","external":{"reward":1}})",
        R"({"id":8})", "["};
    std::vector<std::string> const found = by.score(given);
    ASSERT_EQ(found.size(), given.size());
    EXPECT_NE(found[0].find(R"("id":7)"), std::string::npos);
    EXPECT_NE(found[0].find(R"("baseline_kind":"external")"), std::string::npos) << found[0];
    EXPECT_NE(found[1].find(R"("error":{"row":2,"field":"completion")"), std::string::npos) << found[1];
    EXPECT_NE(found[2].find(R"({"error":{"row":3,"field":"line")"), std::string::npos) << found[2];
    EXPECT_EQ(by.score(found), found) << "rows that are scored already, and errors that stay";
    EXPECT_EQ(by.fingerprint().size(), 16u);
}

TEST(row_scorer, refuses_options_that_no_kind_has_or_that_do_not_fit) {
    for (char const* const options : {R"({"rewards": "forge"})", R"({"slots": 5000})", R"({"slots": "4"})",
                                      R"({"external": 1})", R"({"budget": -2})", "[]", "{"}) {
        EXPECT_THROW(row_scorer(row_engine(), options), field_error) << options;
    }
}

TEST(row_kinds, a_group_has_one_baseline_for_an_instance) {
    scorer by(row_engine(), row_options());
    auto const row = [](int objective, char const* group) {
        return R"({"key":"tsp@1:train:easy:1","completion":"<think>x</think><answer>[0]</answer>","group":)" +
               std::string(group) + R"(,"baseline":{"objective":)" + std::to_string(objective) + R"(,"proven":false}})";
    };
    std::string const lines[] = {row(9, "1"), row(9, "1"), row(8, "1"), row(8, "2")};
    std::vector<row_item> items(4);
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].take(lines[i], std::int64_t(i) + 1);
    }
    static_cast<void>(by.score(items));
    EXPECT_TRUE(items[0].sound() && items[1].sound() && items[3].sound());
    EXPECT_EQ(items[2].field, "baseline");
    by.forget();
    items[2].take(lines[2], 1);
    static_cast<void>(by.score(std::span(items).subspan(2, 1)));
    EXPECT_TRUE(items[2].sound()) << "a run of its own";
}

TEST(row_kinds, a_broken_row_costs_its_neighbours_nothing) {
    scorer by(row_engine(), row_options());
    std::string const good = R"({"key":"tsp@1:train:easy:1","completion":"<think>x</think><answer>[0]</answer>"})";
    for (std::string const& line : row_lines()) {
        std::vector<row_item> items(3);
        items[0].take(good, 1);
        items[1].take(line, 2);
        items[2].take(good, 3);
        std::vector<graded_row> const graded = by.score(items);
        ASSERT_TRUE(items[0].sound() && items[2].sound()) << line.substr(0, 200);
        EXPECT_EQ(graded[0].value.reward, graded[2].value.reward);
    }
}

}  // namespace
}  // namespace optgap::rows
