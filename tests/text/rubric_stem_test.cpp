// Keywords by stems: the pinned stemmer, and stemming of both sides of a match.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "host/rubric/content/stem.hpp"
#include "optgap/rubrics/rubric.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

std::string field_of(std::string const& rubric) {
    try {
        text_rubric const read(rubric);
    } catch (field_error const& refused) {
        return refused.field();
    }
    return "nothing";
}

TEST(rubric_stem, english_stems_are_those_of_snowball_2_2) {
    constexpr std::pair<char const*, char const*> known[] = {{"by", "by"},
                                                             {"yes", "yes"},
                                                             {"skies", "sky"},
                                                             {"news", "news"},
                                                             {"herring", "herring"},
                                                             {"proceeded", "proceed"},
                                                             {"generously", "generous"},
                                                             {"communing", "commune"},
                                                             {"arsenic", "arsenic"},
                                                             {"caresses", "caress"},
                                                             {"ties", "tie"},
                                                             {"cries", "cri"},
                                                             {"gas", "gas"},
                                                             {"gaps", "gap"},
                                                             {"agreed", "agre"},
                                                             {"feedly", "feed"},
                                                             {"hopping", "hop"},
                                                             {"hoping", "hope"},
                                                             {"bleeding", "bleed"},
                                                             {"fizzed", "fizz"},
                                                             {"luxuriated", "luxuri"},
                                                             {"cry", "cri"},
                                                             {"say", "say"},
                                                             {"happily", "happili"},
                                                             {"rational", "ration"},
                                                             {"sensational", "sensat"},
                                                             {"digitizer", "digit"},
                                                             {"radically", "radic"},
                                                             {"geology", "geolog"},
                                                             {"kindly", "kind"},
                                                             {"formative", "format"},
                                                             {"hopefulness", "hope"},
                                                             {"triplicate", "triplic"},
                                                             {"adjustment", "adjust"},
                                                             {"adoption", "adopt"},
                                                             {"communion", "communion"},
                                                             {"vietnamization", "vietnam"},
                                                             {"cease", "ceas"},
                                                             {"rate", "rate"},
                                                             {"controlled", "control"},
                                                             {"dyed", "dy"},
                                                             {"yellow", "yellow"},
                                                             {"bayou", "bayou"}};
    for (auto const& [word, stem] : known) {
        std::string found = word;
        stem_english(found);
        EXPECT_EQ(found, stem) << word;
    }
}

TEST(rubric_stem, stems_match_a_word_s_other_forms_on_both_sides) {
    auto const rubric_with = [](std::string const& text) {
        return R"({"chain": 1, "text": {)" + text +
               R"(}, "references": ["Connected nets learn. They generalise well."],)"
               R"("content": {"points": [{"references": [{"keywords": ["connecting net", "Learning", "news"]}]}]}})";
    };
    text_rubric const stems(rubric_with(R"("stem": "snowball:english")")), words(rubric_with(""));
    std::string const other = "The connection of a NET: it learned, “nets” and all. Généralises learnéd new";
    EXPECT_EQ(stems.score({.text = "Connects NETS, learns."}).points[0], (point_score{2, 2, 0}));
    EXPECT_EQ(stems.score({.text = other}).points[0], (point_score{1, 2, 0}));  // learn; `new` is not `news`
    EXPECT_EQ(words.score({.text = "Connects NETS, learns."}).points[0], (point_score{0, 1, -1}));
    EXPECT_EQ(text_rubric(stems.to_json()).key(), stems.key());
    EXPECT_NE(stems.to_json().find("snowball:english"), std::string::npos);
    EXPECT_EQ(words.to_json().find("stem"), std::string::npos);
    for (char const* const wrong : {R"("stem": "snowball:german")", R"("stem": "english")", R"("stem": true)"}) {
        EXPECT_EQ(field_of(rubric_with(wrong)), "text.stem");
    }
    EXPECT_EQ(field_of(rubric_with(R"("stem": "snowball:english", "fold": "none")")), "text.stem");
    EXPECT_EQ(field_of(rubric_with(R"("stem": "snowball:english", "boundary": "none")")), "text.stem");
}

}  // namespace
}  // namespace optgap::rubrics
