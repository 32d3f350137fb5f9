// Families size, case and language: mostly counters of the structural pass.

#include <algorithm>
#include <unordered_set>

#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"

namespace optgap::rubrics {

namespace size_rules {

template <std::int64_t text_counts::*Counter>
measured counted_by(measure_input const& in) {
    return {in.text.counts.*Counter, in.text.counts.characters};
}
measured pieces(measure_input const& in) { return {in.text.counts.pieces, 0}; }
measured sentences(measure_input const& in) { return {std::int64_t(in.text.sentences().size()), 0}; }

measured words(measure_input const& in) {
    // A Han or kana character is a word by itself. Runs that contain them are not counted.
    if (in.option(0).text == "words") {
        return {in.forms.spaced().counts.words, 0};
    }
    auto const runs = in.text.counts.words;
    if (in.option(0).text == "runs" || in.text.counts.cjk == 0) {
        return {runs, 0};
    }
    std::int64_t count = in.text.counts.cjk;
    for (place const& word : in.text.words()) {
        std::string_view const run = in.text.of(word);
        bool inside = false;
        for (std::size_t at = 0; at < run.size();) {
            decoded const one = decode(run, at);
            script const of = properties_of(one.point).of;
            bool const apart = of == script::han || of == script::hiragana || of == script::katakana;
            count += !apart && !inside;
            inside = !apart;
            at += one.size;
        }
    }
    return {count, 0};
}

measured unique_words(measure_input const& in) {
    std::vector<std::string_view> const words = lower_words(in.forms);
    std::unordered_set<std::string_view> const seen(words.begin(), words.end());
    return {std::int64_t(seen.size()), std::int64_t(words.size())};
}

measured lines(measure_input const& in) { return {in.raw().empty() ? 0 : std::int64_t(in.text.lines().size()), 0}; }

measured paragraphs(measure_input const& in) {
    std::string const& kind = in.option(0).text;
    if (kind == "blank") {
        return {std::int64_t(in.text.paragraphs().size()), 0};
    }
    auto const parts = kind == "stars" ? split_at_stars(in.raw()) : split_at(in.raw(), "\n\n");
    return {std::count_if(parts.begin(), parts.end(), [](std::string_view part) { return !is_blank(part); }), 0};
}

template <bool (*Holds)(std::string_view)>
measured words_that(measure_input const& in) {
    std::int64_t count = 0;
    for (place const& word : in.text.words()) {
        count += Holds(in.text.of(word));
    }
    return {count, in.text.counts.words};
}

bool is_upper_word(std::string_view word) { return is_upper_text(word) && point_count(word) >= 2; }
bool is_title_word(std::string_view word) {
    std::string_view const first = first_point(word);
    return is_upper_text(first) && (first.size() == word.size() || is_lower_text(word.substr(first.size())));
}

measured upper_letters(measure_input const& in) { return {in.text.counts.upper, in.text.counts.letters}; }
measured lower_letters(measure_input const& in) { return {in.text.counts.lower, in.text.counts.letters}; }
measured all_upper(measure_input const& in) { return {is_upper_text(in.raw()), 0}; }
measured all_lower(measure_input const& in) { return {is_lower_text(in.raw()), 0}; }

measured script_letters(measure_input const& in) {
    static constexpr std::string_view names[] = {"other",    "latin",      "cyrillic", "greek",  "han",
                                                 "hiragana", "katakana",   "hangul",   "arabic", "hebrew",
                                                 "thai",     "devanagari", "spaceless"};
    auto const which =
        std::size_t(std::find(std::begin(names), std::end(names), in.option(0).text) - std::begin(names));
    return {in.text.counts.script_letters[which], in.text.counts.letters};
}

/// Compares languages by the number of words from their lists. The requested language must have the most.
measured language(measure_input const& in) {
    std::int64_t own = 0;
    std::int64_t best = 0;
    auto next = in.option(1).tables->begin();
    text_forms& spaced = forms_of(in.forms.spaced());
    for (auto const& [name, list] : in.option(1).lists) {
        word_table const& known = *next++;
        std::int64_t const found = listed_in(known, spaced, word_role::bare);
        best = std::max(best, found);
        own = name == in.option(0).text ? found : own;
    }
    return {own > 0 && own == best, 0};
}

}  // namespace size_rules

std::span<measure const> size_measures() {
    using namespace size_rules;
    static constexpr char const* of_characters = "characters";
    static constexpr measure all[] = {
        {"bytes",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.counts.bytes, 0};
         },
         "bytes",
         nullptr},
        {"characters",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.counts.characters, 0};
         },
         "code points; a byte that is no UTF-8 is one",
         nullptr},
        {"words",
         "size",
         false,
         {{"cjk", argument_kind::text, false, 0, "characters", "characters words runs"}},
         words,
         "runs of word characters; each Han or kana character is one, unless cjk is runs, or words, those of ICU for "
         "every "
         "script without blanks",
         nullptr},
        {"pieces", "size", false, {}, pieces, "pieces between white space", nullptr},
        {"unique_words",
         "size",
         false,
         {},
         unique_words,
         "different runs of word characters, lower-cased",
         "runs of word characters"},
        {"letters", "size", false, {}, counted_by<&text_counts::letters>, "letters of any script", of_characters},
        {"digits", "size", false, {}, counted_by<&text_counts::digits>, "decimal digits of any script", of_characters},
        {"numbers",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.counts.numbers, 0};
         },
         "runs of decimal digits",
         nullptr},
        {"punctuation",
         "size",
         false,
         {},
         counted_by<&text_counts::punctuation>,
         "ASCII's 32 punctuation characters, and Unicode's",
         of_characters},
        {"lines", "size", false, {}, lines, "parts between line breaks; none in an empty text", nullptr},
        {"nonempty_lines",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.nonempty_lines(), 0};
         },
         "lines with something but white space",
         nullptr},
        {"paragraphs",
         "size",
         false,
         {{"by", argument_kind::text, false, 0, "blank", "blank double stars"}},
         size_rules::paragraphs,
         "parts that are not blank, between blank lines, double line breaks or ***",
         nullptr},
        {"sentences", "size", false, {}, sentences, "sentences, by the splitter", nullptr},
        {"longest_line",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.longest_line(), 0};
         },
         "characters of the longest line",
         nullptr},
        {"longest_word",
         "size",
         false,
         {},
         [](measure_input const& in) {
             return measured{in.text.longest_word(), 0};
         },
         "characters of the longest run of word characters",
         nullptr},
        {"upper_words",
         "case",
         false,
         {},
         words_that<is_upper_word>,
         "words of two characters or more in upper case",
         "words"},
        {"title_words",
         "case",
         false,
         {},
         words_that<is_title_word>,
         "words whose first character alone is upper case",
         "words"},
        {"upper_letters", "case", false, {}, upper_letters, "upper-case letters", "letters"},
        {"lower_letters", "case", false, {}, lower_letters, "lower-case letters", "letters"},
        {"all_upper", "case", true, {}, all_upper, "some letter has a case, and none is lower or title case", nullptr},
        {"all_lower", "case", true, {}, all_lower, "some letter has a case, and none is upper or title case", nullptr},
        {"script_letters",
         "language",
         false,
         {{"script", argument_kind::text, true, 0, "",
           "latin cyrillic greek han hiragana katakana hangul arabic hebrew thai devanagari spaceless other"}},
         script_letters,
         "letters of a script",
         "letters"},
        {"language",
         "language",
         true,
         {{"language", argument_kind::text, true}, {"table", argument_kind::lists, true}},
         language,
         "of the table's lists of words, the language's own is met most often, and once at least; statistical",
         nullptr},
    };
    return all;
}

}  // namespace optgap::rubrics
