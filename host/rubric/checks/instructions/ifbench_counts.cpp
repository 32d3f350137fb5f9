// IFBench's types that count: words, kinds of sentences, names, numbers, keywords.

#include <algorithm>
#include <bit>
#include <tuple>

#include "host/rubric/checks/instructions/trigrams.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_counts {

type_answer word_count_range(type_input const& in) {
    return {
        in.words() >= in.number(0) && in.words() <= in.number(1) && in.enough(std::min<std::int64_t>(5, in.number(1))),
        in.words()};
}

type_answer unique_words(type_input const& in) {
    std::int64_t count = 0;
    in.forms.tally(word_role::piece).each(word_role::piece, [&](kept_word const& word, std::int64_t) {
        count += !in.strict || word.size > 0;
    });
    return {count >= in.number(0), count};
}

type_answer stop_words(type_input const& in) {
    word_table const& listed = in.given[1].tables->front();
    std::int64_t found = 0;
    if (in.text.ascii) {
        found = listed_in(listed, in.forms, word_role::word);
    } else {
        for (place const& word : in.text.words()) {
            found += listed.has(lowered(in.text.of(word)));
        }
    }
    // The published rule compares (found / words) · 100 in doubles.
    bool const few = in.words() > 0 && double(found) / double(in.words()) * 100 <= double(in.number(0));
    return {few && in.enough(), found};
}

std::int64_t ending(type_input const& in, char mark) {
    std::int64_t count = 0;
    for (place const& sentence : in.text.sentences()) {  // none is empty
        count += in.raw()[sentence.end - 1] == mark;
    }
    return count;
}

type_answer sentence_type(type_input const& in) {
    std::int64_t const asked = ending(in, '?');
    return {ending(in, '.') == 2 * asked && (!in.strict || asked > 0), asked};
}

type_answer sentence_balance(type_input const& in) {
    std::int64_t const stated = ending(in, '.');
    return {stated == ending(in, '?') && stated == ending(in, '!') && (!in.strict || stated > 0), stated};
}

type_answer conjunctions(type_input const& in) {
    static constexpr std::string_view all[] = {"and", "but", "for", "nor", "or", "so", "yet"};
    different_words& pieces = in.forms.different();
    pieces.begin();
    unsigned kinds = 0;
    std::vector<place> const& places = in.text.pieces();
    auto const add = [&](std::size_t k, std::size_t kind) {
        std::string_view const piece = in.text.of(places[k]);
        static_cast<void>(pieces.number_of(piece, key_of(piece, in.raw().size() - places[k].begin)));
        kinds |= 1u << kind;
    };
    if (in.forms.plain()) {
        // Looks at each different word once.
        different_words const& words = in.forms.tally(word_role::piece).words();
        std::vector<std::int8_t> kind_of(words.size(), -1);
        for (std::size_t number = 0; number < words.size(); ++number) {
            if (words[number].size == 2 || words[number].size == 3) {
                auto const found = std::find(std::begin(all), std::end(all), words[number].view());
                kind_of[number] = std::int8_t(found == std::end(all) ? -1 : found - std::begin(all));
            }
        }
        std::vector<std::uint32_t> const& number_of = in.forms.piece_words();
        for (std::size_t k = 0; k < number_of.size(); ++k) {
            if (number_of[k] != text_forms::no_word && kind_of[number_of[k]] >= 0) {
                add(k, std::size_t(kind_of[number_of[k]]));
            }
        }
    } else {
        for (std::size_t k = 0; k < places.size(); ++k) {
            std::string_view const word = without_marks(in.text.of(places[k]));
            if (word.size() < 2 || word.size() > 3) {
                continue;
            }
            auto const found = std::find(std::begin(all), std::end(all), lowered(word));
            if (found != std::end(all)) {
                add(k, std::size_t(found - std::begin(all)));
            }
        }
    }
    std::int64_t const count = in.strict ? __builtin_popcount(kinds) : std::int64_t(pieces.size());
    return {count >= in.number(0), count};
}

type_answer person_names(type_input const& in) {
    static constexpr std::string_view listed[] = {
        "Emma",    "Liam",   "Sophia", "Jackson",     "Olivia",    "Noah",     "Ava",      "Lucas",  "Isabella",
        "Mason",   "Mia",    "Ethan",  "Charlotte",   "Alexander", "Amelia",   "Benjamin", "Harper", "Leo",
        "Zoe",     "Daniel", "Chloe",  "Samuel",      "Lily",      "Matthew",  "Grace",    "Owen",   "Abigail",
        "Gabriel", "Ella",   "Jacob",  "Scarlett",    "Nathan",    "Victoria", "Elijah",   "Layla",  "Nicholas",
        "Audrey",  "David",  "Hannah", "Christopher", "Penelope",  "Thomas",   "Nora",     "Andrew", "Aria",
        "Joseph",  "Claire", "Ryan",   "Stella",      "Jonathan"};
    static word_table const names(listed);
    different_words& found = in.forms.different();
    found.begin();
    for (place const& word : in.text.words()) {
        char const first = in.raw()[word.begin];
        if (first >= 'A' && first <= 'Z') {
            std::string_view const name = in.text.of(word);
            word_key const key = key_of(name, in.raw().size() - word.begin);
            if (names.has(name, key)) {
                static_cast<void>(found.number_of(name, key));
            }
        }
    }
    auto const count = std::int64_t(found.size());
    return {count >= in.number(0), count};
}

type_answer overlap(type_input const& in) {
    std::int64_t count = 0, shared = 0;
    if (in.text.ascii && is_ascii_text(in.argument(0))) {
        static thread_local ascii_trigrams marks;
        std::tie(count, shared) = marks.compare(in.raw(), in.argument(0));
    } else {
        trigram_set const own(in.raw());
        count = own.count();
        shared = count == 0 ? 0 : own.shared(trigram_set(in.argument(0)));
    }
    if (count == 0) {
        return false;
    }
    double const share = double(shared) / double(count) * 100;
    return {double(in.number(1) - 2) <= share && share <= double(in.number(1) + 2) && in.enough(), shared};
}

type_answer numbers(type_input const& in) {
    std::string const& text = in.forms.bare().text;
    std::int64_t count = 0;
    bool inside = false;
    if (in.text.ascii) {
        std::uint64_t before = 0;
        each_block(
            text, 0, [](bytes16 value) { return within(value, '0', '9'); },
            [&](std::uint64_t mask, std::size_t) {
                count += std::popcount(mask & ~(mask << 1 | before));
                before = mask >> 63;
                return true;
            });
        return {count == in.number(0), count};
    }
    for (std::size_t at = 0; at < text.size(); at += point_size(text, at)) {
        bool const digit = digit_size(text, at) > 0;
        count += digit && !inside;
        inside = digit;
    }
    return {count == in.number(0), count};
}

type_answer pronouns(type_input const& in) {
    static constexpr std::string_view listed[] = {
        "i",         "me",         "we",         "us",        "you",      "he",      "him",        "she",
        "her",       "it",         "they",       "them",      "my",       "mine",    "our",        "ours",
        "your",      "yours",      "his",        "hers",      "its",      "their",   "theirs",     "myself",
        "ourselves", "yourself",   "yourselves", "himself",   "herself",  "itself",  "themselves", "this",
        "that",      "these",      "those",      "who",       "whom",     "whose",   "which",      "what",
        "whoever",   "whomever",   "whatever",   "whichever", "anybody",  "anyone",  "anything",   "everybody",
        "everyone",  "everything", "nobody",     "nothing",   "somebody", "someone", "something",  "each",
        "either",    "neither",    "both",       "all",       "some",     "any",     "none"};
    static word_table const all(listed);
    std::string text;
    std::vector<place> places;
    // A slash separates tokens as a blank does, and is not a pronoun.
    if (in.text.ascii) {
        std::int64_t const count = listed_in(all, in.forms, word_role::token);
        return {count >= in.number(0), count};
    }
    text = replaced(in.forms.lower(), "/", " ");
    split_tokens(text, places, in.text.joins_marks);
    auto const count = std::count_if(places.begin(), places.end(), [&](place const& token) {
        return all.has(std::string_view(text).substr(token.begin, token.size()));
    });
    return {count >= in.number(0), count};
}

type_answer punctuation(type_input const& in) {
    std::string_view const text = in.raw();
    std::size_t const asked = text.find("?!");
    std::size_t const called = text.find("!?");
    if (asked == std::string_view::npos && called == std::string_view::npos && !contains(text, "\xE2\x80\xBD")) {
        return false;
    }
    std::size_t const skipped = asked != std::string_view::npos ? asked : called;
    unsigned found = 0;
    static constexpr std::string_view marks = ".,!?;:";
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (skipped != std::string_view::npos && (at == skipped || at == skipped + 1)) {
            continue;
        }
        std::size_t const mark = marks.find(text[at]);
        found |= mark == std::string_view::npos ? 0u : 1u << mark;
    }
    return found == 63 && in.enough();
}

type_answer keywords_multiple(type_input const& in) {
    static constexpr std::int64_t wanted[] = {1, 2, 3, 5, 7};
    std::int64_t right = 0;
    for (std::size_t k = 0; k < 5; ++k) {
        if (in.strict) {
            right += in.given[k].patterns[0].count(in.raw(), in.forms.folded(), 8) == wanted[k];
        } else {
            right += count_of(in.forms.lower(), lowered(trimmed(in.argument(k)))) == wanted[k];
        }
    }
    return {right == 5, right};
}

/// Whether a word is from U+3040 to U+30FF and from U+4E00 to U+9FFF.
bool is_japanese(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        decoded const one = decode(word, at);
        if ((one.point >= 0x3040 && one.point <= 0x30FF) || (one.point >= 0x4E00 && one.point <= 0x9FFF)) {
            return true;
        }
        at += one.size;
    }
    return false;
}

type_answer words_japanese(type_input const& in) {
    auto const step = std::size_t(in.number(0));
    std::int64_t japanese = 0;
    for (std::size_t k = step - 1; k < in.text.pieces().size(); k += step) {
        std::string_view const word = without_marks(in.text.of(in.text.pieces()[k]));
        bool const found = is_japanese(word);
        japanese += found;
        if (!word.empty() && !is_digit_text(word) && !found) {
            return {false, japanese};
        }
    }
    return {!in.strict || japanese > 0, japanese};
}

}  // namespace ifbench_counts

std::span<instruction_type const> ifbench_count_types() {
    using namespace ifbench_counts;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"count:word_count_range",
         'E',
         {{"min_words", integer}, {"max_words", integer}},
         word_count_range,
         "runs of word characters are min to max",
         "five words, or as many as are allowed"},
        {"count:unique_word_count",
         'E',
         {{"N", integer}},
         unique_words,
         "different pieces, lower-cased and without punctuation around them, are at least n; an empty one counts",
         "an empty one does not count",
         true},
        {"ratio:stop_words",
         'D',
         {{"percentage", integer}, {"stop_words", argument_kind::words}},
         stop_words,
         "listed words are at most p percent of the runs of word characters, of which there is one",
         "five words",
         true},
        {"ratio:sentence_type",
         'S',
         {},
         sentence_type,
         "sentences that end with . are twice those that end with ?",
         "one ends with ?"},
        {"ratio:sentence_balance",
         'S',
         {},
         sentence_balance,
         "as many sentences end with . as with ? and with !",
         "one of each"},
        {"count:conjunctions",
         'E',
         {{"small_n", integer}},
         conjunctions,
         "different pieces that are and, but, for, nor, or, so, yet (in any case, punctuation around them) are at "
         "least n",
         "different conjunctions, rather than pieces"},
        {"count:person_names",
         'D',
         {{"N", integer}},
         person_names,
         "of fifty listed names at least n stand in the text as whole words, case kept",
         same,
         true},
        {"ratio:overlap",
         'E',
         {{"reference_text", argument_kind::text}, {"percentage", integer}},
         overlap,
         "of the text's different character trigrams p percent, two more or less, stand in the reference",
         "five words"},
        {"count:numbers", 'E', {{"N", integer}}, numbers, "runs of digits, punctuation deleted, are n", same},
        {"count:pronouns",
         'S',
         {{"N", integer}},
         pronouns,
         "tokens of the lower-cased text (/ is a blank) that are one of 63 pronouns are at least n",
         same,
         true},
        {"count:punctuation",
         'E',
         {},
         ifbench_counts::punctuation,
         "has ?!, !? or U+203D, and besides one of the first two all of . , ! ? ; :",
         "five words"},
        {"count:keywords_multiple",
         'E',
         {{"keyword1", word}, {"keyword2", word}, {"keyword3", word}, {"keyword4", word}, {"keyword5", word}},
         keywords_multiple,
         "the keywords stand 1, 2, 3, 5 and 7 times as parts of the lower-cased text",
         "as whole words"},
        {"count:words_japanese",
         'E',
         {{"N", positive}},
         words_japanese,
         "every n-th piece, punctuation around it removed, is empty, digits, or has a character of U+3040-30FF or "
         "U+4E00-9FFF",
         "one has such a character",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
