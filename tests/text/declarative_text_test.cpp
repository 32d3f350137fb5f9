// Texts of declarative tasks: templates, sentences, grids with signs.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/families/cells/cells_text.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

constexpr filler of_family[] = {
    {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
    {"who", [](std::string& text, words_view) { text += "family"; }},
};
constexpr declarative_text says{
    .title = "",
    .summary = "",
    .category = "",
    .objective = "cost",
    .singular = "stop",
    .plural = "stops",
    .prompts = {"{n} of {n}, by {who}", "{{\"n\": {n}}", "{m}", "open {n"},
    .sentences = {"{violation} of {violation_max} from {value} at {where}."},
    .examples = {},
    .fillers = {{"who", [](std::string& text, words_view) { text += "task"; }}},
};
constexpr answer_terms terms{"[a]", "one list", [](words_view) { return 1; }, [](words_view on) { return on[0]; }, {}};
block const seven{7};

words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }
std::string filled(std::int32_t style) { return fill_prompt(says, style, view(seven), of_family); }
std::string sentence(block const& answer, verdict const& found) {
    return explain_declarative(says, terms, view(seven), view(answer), found);
}

TEST(declarative_text, fillers_stand_for_parts_of_the_instance_the_task_s_own_first) {
    EXPECT_EQ(filled(0), "7 of 7, by task");
    EXPECT_EQ(filled(1), "{\"n\": 7}");
    EXPECT_EQ(filled(3), "open 7");
    EXPECT_THROW(filled(2), error) << "nothing fills {m}";
}

TEST(declarative_text, a_sentence_for_each_code_names_place_and_number) {
    block const answer{answer_flat, 3, 9, 3};
    EXPECT_EQ(sentence(answer, {code_ok, -1, 12, 0, 5}), "No rule is broken; the cost is 12.");
    EXPECT_EQ(sentence({answer_word, 0}, {code_unparsable, -1, 0, 5, 5}), "The answer is a word; one list is needed.");
    EXPECT_EQ(sentence(answer, {code_out_of_range, 1, 0, 5, 5}), "9 (position 1) is no stop: the stops are 1 to 7.");
    EXPECT_EQ(sentence(answer, {code_repeated, 2, 0, 5, 5}), "The stop 3 (position 2) already stands at position 0.");
    EXPECT_EQ(sentence(answer, {first_task_code, 1, 0, 2, 5}), "2 of 5 from 9 at 1.");
}

TEST(declarative_text, signs_stand_between_the_cells_they_compare) {
    block const given{0, 2, 0, 0, 0, 0, 0, 0, 13};
    block const signs{0, 0, 0, 1, 1, 2, 0, 2, 2, 1, 2, 0};
    std::string text;
    families::append_signed_grid(text, {3, 3, 1, 13, given.data()}, 3,
                                 [&](std::int32_t k) { return signs.data() + 4 * k; });
    EXPECT_EQ(text,
              "_ < 2   _\n"
              "        v\n"
              "_   _   _\n"
              "\n"
              "_ > _   13\n");
}

TEST(declarative_text, a_grids_picture_has_a_sign_that_points_at_the_lesser_cell) {
    block const given{0, 2, 0, 0};
    block const signs{0, 0, 0, 1, 1, 1, 0, 1};
    auto const sign = [&](std::int32_t k) { return signs.data() + 4 * k; };
    std::string const drawn = families::draw_grid("g", {2, 2, 1, 2, given.data()}, {signs.data(), 0}, 2, sign);
    EXPECT_NE(drawn.find("points=\"33.0,10.0 28.0,13.5 33.0,17.0\""), std::string::npos) << drawn;
    EXPECT_NE(drawn.find("points=\"51.0,28.0 47.5,33.0 44.0,28.0\""), std::string::npos) << drawn;
    EXPECT_EQ(families::draw_grid("g", {2, 2, 1, 2, given.data()}, {signs.data(), 0}, 0, sign).find("polyline"),
              std::string::npos);
}

}  // namespace
}  // namespace optgap
