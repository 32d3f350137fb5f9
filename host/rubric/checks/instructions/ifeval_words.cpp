// IFEval's types about words, letters, length and language.

#include <algorithm>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifeval_words {

type_answer existence(type_input const& in) {
    std::int64_t found = 0;
    for (pattern const& keyword : in.given[0].patterns) {
        found += keyword.found(in.raw(), in.forms.folded());
    }
    return {found == std::int64_t(in.given[0].patterns.size()), found};
}

type_answer frequency(type_input const& in) {
    std::int64_t const found = in.given[0].patterns[0].count(in.raw(), in.forms.folded(), INT64_MAX);
    bool const at_least = in.given[2].at_least;
    return {holds(at_least, found, in.number(1)) && (at_least || in.enough()), found};
}

type_answer forbidden(type_input const& in) {
    std::int64_t found = 0;
    for (pattern const& word : in.given[0].patterns) {
        found += word.found(in.raw(), in.forms.folded());
    }
    return {found == 0 && in.enough(), found};
}

type_answer letter_frequency(type_input const& in) {
    std::string const letter = lowered(in.argument(0));
    // The count of code points has no entry for a longer text.
    std::int64_t const found = point_count(letter) == 1 ? count_of(in.forms.lower(), letter) : 0;
    bool const at_least = in.given[2].at_least;
    return {holds(at_least, found, in.number(1)) && (at_least || in.enough()), found};
}

type_answer sentences(type_input const& in) {
    auto const count = std::int64_t(in.sentence_count());
    bool const at_least = in.given[1].at_least;
    bool const full = at_least ? in.full_sentences(std::size_t(in.number(0))) : in.enough();
    return {holds(at_least, count, in.number(0)) && full, count};
}

type_answer paragraphs(type_input const& in) {
    std::int64_t const count = star_paragraphs(in.raw(), in.strict);
    return {count == in.number(0), count};
}

type_answer words(type_input const& in) {
    std::int64_t const count = in.words();
    bool const at_least = in.given[1].at_least;
    return {
        holds(at_least, count, in.number(0)) && (at_least || in.enough(std::min<std::int64_t>(5, in.number(0) - 1))),
        count};
}

type_answer paragraph_first_word(type_input const& in) {
    std::vector<std::string_view> const parts = split_at(in.raw(), "\n\n");
    auto const count = std::count_if(parts.begin(), parts.end(), [](std::string_view part) { return !is_blank(part); });
    std::int64_t const wanted = in.number(1);
    if (wanted < 1 || wanted > count) {
        return {false, count};
    }
    std::vector<std::string_view> const pieces = pieces_of(parts[std::size_t(wanted - 1)]);
    if (pieces.empty() || (in.strict && pieces.size() < 2)) {
        return {false, count};
    }
    std::string_view word = pieces[0];
    while (word.starts_with('\'')) {
        word.remove_prefix(1);
    }
    while (word.starts_with('"')) {
        word.remove_prefix(1);
    }
    word = word.substr(0, word.find_first_of(".,?!'\""));
    std::string first;
    for (std::size_t at = 0; at < word.size();) {
        std::size_t const size = decode(word, at).size;
        first += lowered(word.substr(at, size));
        at += size;
    }
    return {count == in.number(0) && first == lowered(in.argument(2)), count};
}

type_answer capital_words(type_input const& in) {
    std::vector<place> const& tokens = in.forms.tokens();
    auto const count = std::count_if(tokens.begin(), tokens.end(), [&](place const& token) {
        // Most tokens are small letters, marks, or begin with one capital. Their first two bytes show it in one branch.
        char const* const at = in.raw().data() + token.begin;
        auto const is_small = [](char byte) { return unsigned(byte >= 'a' && byte <= 'z'); };
        auto const is_capital = unsigned(at[0] >= 'A' && at[0] <= 'Z');
        auto const one = unsigned(token.size() == 1);
        unsigned const mixed = is_capital & is_small(at[1 - one]);
        if ((is_small(at[0]) | (one & ~is_capital & 1) | mixed) != 0) {
            return false;
        }
        return one != 0 || is_upper_text(in.text.of(token));
    });
    bool const at_least = in.given[1].at_least;
    return {holds(at_least, count, in.number(0)) && (at_least || in.enough()), count};
}

/// The language whose listed words occur most often in the text; empty where none occurs.
std::string_view language_of(type_input const& in, argument_value const& table) {
    std::string_view best;
    std::int64_t most = 0;
    auto next = table.tables->begin();
    text_forms& spaced = forms_of(in.forms.spaced());
    for (auto const& [language, list] : table.lists) {
        word_table const& known = *next++;
        std::int64_t const found = listed_in(known, spaced, word_role::bare);
        if (found > most) {
            most = found;
            best = language;
        }
    }
    return best;
}

type_answer language(type_input const& in) {
    std::string_view const found = language_of(in, in.given[1]);
    return found.empty() ? !in.strict : found == in.argument(0);
}

type_answer english_of_case(type_input const& in, bool of_case) {
    if (!of_case) {
        return false;
    }
    std::string_view const found = language_of(in, in.given[0]);
    return (found.empty() ? !in.strict : found == "en") && in.enough();
}
type_answer english_capital(type_input const& in) { return english_of_case(in, is_upper_text(in.raw())); }
type_answer english_lowercase(type_input const& in) { return english_of_case(in, is_lower_text(in.raw())); }

}  // namespace ifeval_words

std::span<instruction_type const> ifeval_word_types() {
    using namespace ifeval_words;
    using enum argument_kind;
    static constexpr instruction_type types[] = {
        {"keywords:existence",
         'E',
         {{"keywords", argument_kind::keywords}},
         existence,
         "every keyword, as a regular expression, is found, ignoring case",
         "keywords stand for themselves, as whole words"},
        {"keywords:frequency",
         'E',
         {{"keyword", keyword}, {"frequency", integer}, {"relation", relation}},
         frequency,
         "matches of the keyword, as a regular expression, ignoring case, are less than or at least n",
         "the keyword stands for itself, as a whole word; less than: five words"},
        {"keywords:forbidden_words",
         'E',
         {{"forbidden_words", argument_kind::bounded}},
         forbidden,
         "no forbidden word, as an expression between word boundaries, ignoring case",
         "five words; words stand for themselves"},
        {"keywords:letter_frequency",
         'E',
         {{"letter", argument_kind::text}, {"let_frequency", integer}, {"let_relation", relation}},
         letter_frequency,
         "how often the letter stands in the lower-cased text is less than or at least n",
         "less than: five words"},
        {"language:response_language",
         'D',
         {{"language", argument_kind::text}, {"table", lists}},
         ifeval_words::language,
         "the detected language is the one asked for, or none is detected",
         "a language is detected",
         true},
        {"length_constraints:number_sentences",
         'S',
         {{"num_sentences", integer}, {"relation", relation}},
         sentences,
         "sentences are less than or at least n",
         "at least: each of two words; less than: five words"},
        {"length_constraints:number_paragraphs",
         'E',
         {{"num_paragraphs", integer}},
         paragraphs,
         "parts between *** (a white space at each side belongs to it) are n; an empty first or last does not count, "
         "an empty "
         "one between fails",
         "each part of two pieces",
         true},
        {"length_constraints:number_words",
         'E',
         {{"num_words", integer}, {"relation", relation}},
         ifeval_words::words,
         "runs of word characters are less than or at least n",
         "less than: five words, or as many as are allowed"},
        {"length_constraints:nth_paragraph_first_word",
         'E',
         {{"num_paragraphs", integer}, {"nth_paragraph", integer}, {"first_word", argument_kind::text}},
         paragraph_first_word,
         "parts between blank lines that are not blank are n, and the k-th part begins with the word: its first piece "
         "without "
         "leading ' and \", to the first of . , ? ! ' \", lower-cased",
         "that part has two pieces",
         true},
        {"change_case:capital_word_frequency",
         'S',
         {{"capital_frequency", integer}, {"capital_relation", relation}},
         capital_words,
         "tokens in upper case are less than or at least n",
         "less than: five words",
         true},
        {"change_case:english_capital",
         'D',
         {{"table", lists}},
         english_capital,
         "the text is upper case, and its detected language is en or none",
         "five words, and en is detected",
         true},
        {"change_case:english_lowercase",
         'D',
         {{"table", lists}},
         english_lowercase,
         "the text is lower case, and its detected language is en or none",
         "five words, and en is detected",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
