// IF-RLVR's types about first and last words, letters, tokens.

#include <algorithm>
#include <unordered_set>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"
#include "host/rubric/checks/types.hpp"
#include "host/rubric/words/boundaries.hpp"

namespace optgap::rubrics {

namespace if_rlvr_words {

std::string word_of(std::string_view piece, bool joins_marks) {
    std::string word;
    for (std::size_t at = 0; at < piece.size();) {
        decoded const one = decode(piece, at);
        bool const joins = joins_marks && !one.broken && is_joiner(one.point, properties_of(one.point));
        if (word_size(piece, at) > 0 || joins) {
            word += piece.substr(at, one.size);
        }
        at += one.size;
    }
    return lowered(word);
}

type_answer first_of_sentences(type_input const& in) {
    std::string const wanted = lowered(trimmed(in.argument(0)));
    for (std::size_t k = 0; k < in.sentence_count(); ++k) {
        std::string_view const sentence = in.sentence(k);
        if (lowered(pieces_of(sentence).front()) != wanted) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.full_sentences(1), std::int64_t(in.sentence_count())};
}

type_answer last_of_sentences(type_input const& in) {
    std::string const wanted = lowered(trimmed(in.argument(0)));
    for (std::size_t k = 0; k < in.sentence_count(); ++k) {
        std::string_view const sentence = in.sentence(k);
        if (word_of(pieces_of(sentence).back(), in.text.joins_marks) != wanted) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.full_sentences(1), std::int64_t(in.sentence_count())};
}

type_answer first_of_answer(type_input const& in) {
    return !in.text.pieces().empty() &&
           lowered(in.text.of(in.text.pieces().front())) == lowered(trimmed(in.argument(0))) && in.enough(2);
}

type_answer last_of_answer(type_input const& in) {
    return !in.text.pieces().empty() &&
           word_of(in.text.of(in.text.pieces().back()), in.text.joins_marks) == lowered(trimmed(in.argument(0))) &&
           in.enough(2);
}

type_answer no_dot(type_input const& in) { return {!contains(in.raw(), ".") && in.enough(), count_of(in.raw(), ".")}; }

type_answer no_exclamation(type_input const& in) {
    return {!contains(in.raw(), "!") && in.enough(), count_of(in.raw(), "!")};
}

type_answer lowercase_words(type_input const& in) {
    auto const count = std::count_if(in.text.words().begin(), in.text.words().end(), [&](place const& word) {
        std::string_view const text = in.text.of(word);
        return std::all_of(text.begin(), text.end(), [](char byte) { return byte >= 'a' && byte <= 'z'; });
    });
    return {count <= in.number(0) && in.enough(), count};
}

type_answer letters(type_input const& in) {
    std::int64_t const count = std::count_if(in.raw().begin(), in.raw().end(), is_letter_byte);
    bool const at_least = in.given[1].at_least;
    return {holds(at_least, count, in.number(0)) &&
                (at_least || in.enough(std::min<std::int64_t>(5, in.number(0) / 6 + 1))),
            count};
}

type_answer letter_count(type_input const& in) {
    std::string const letter = lowered(in.argument(0));
    std::int64_t const count = point_count(letter) == 1 ? count_of(in.forms.lower(), letter) : 0;
    bool const at_least = in.given[2].at_least;
    return {holds(at_least, count, in.number(1)) && (at_least || in.enough()), count};
}

type_answer composition(type_input const& in) {
    std::vector<std::string_view> const parts = split_at_stars(in.raw());
    std::vector<place> sentences;
    std::vector<place> tokens;
    for (std::string_view const part : parts) {
        split_sentences(part, in.sentences, sentences);
        if (is_blank(part) || std::int64_t(sentences.size()) != in.number(0)) {
            return {false, std::int64_t(parts.size())};
        }
        for (place const& sentence : sentences) {
            split_tokens(part.substr(sentence.begin, sentence.size()), tokens, in.text.joins_marks);
            if (std::int64_t(tokens.size()) != in.number(1)) {
                return {false, std::int64_t(parts.size())};
            }
        }
    }
    return {parts.size() == 3, std::int64_t(parts.size())};
}

type_answer unique(type_input const& in) {
    std::vector<place> const& tokens = in.forms.tokens();
    std::unordered_set<std::string_view> seen;
    for (place const& token : tokens) {
        std::string_view const word = in.text.of(token);
        if ((!in.strict || has_word_point(word)) && !seen.insert(word).second) {
            return {false, std::int64_t(seen.size())};
        }
    }
    return {in.enough(), std::int64_t(seen.size())};
}

type_answer increment_words(type_input const& in) {
    std::int64_t const first = in.given[0].patterns[0].count(in.raw(), in.forms.folded(), INT64_MAX);
    std::int64_t const second = in.given[1].patterns[0].count(in.raw(), in.forms.folded(), INT64_MAX);
    return {first == 1 && second == 2, first + second};
}

type_answer palindrome(type_input const& in) {
    for (place const& piece : in.text.pieces()) {
        std::string_view const word = in.text.of(piece);
        std::string const bare = in.strict ? word_of(word, true) : std::string();
        if (in.strict ? point_count(bare) >= 3 && is_palindrome(bare) : is_palindrome(word)) {
            return true;
        }
    }
    return false;
}

type_answer keyword_position(type_input const& in) {
    std::int64_t const sentence = in.number(1);
    std::int64_t const word = in.number(2);
    if (sentence < 1 || word < 1 || std::int64_t(in.sentence_count()) < sentence) {
        return false;
    }
    std::string_view const text = in.sentence(std::size_t(sentence - 1));
    std::vector<place> tokens;
    split_tokens(text, tokens, in.text.joins_marks);
    if (std::int64_t(tokens.size()) < word) {
        return false;
    }
    place const& token = tokens[std::size_t(word - 1)];
    return text.substr(token.begin, token.size()) == trimmed(in.argument(0)) && in.enough(2);
}

type_answer start_end(type_input const& in) {
    std::vector<place> const& tokens = in.forms.tokens();
    return tokens.size() >= 2 && lowered(in.text.of(tokens.front())) == lowered(in.text.of(tokens.back())) &&
           in.enough(3);
}

}  // namespace if_rlvr_words

std::span<instruction_type const> if_rlvr_word_types() {
    using namespace if_rlvr_words;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr argument_kind words_text = argument_kind::text;
    static constexpr instruction_type types[] = {
        {"first_word:first_word_sent",
         'S',
         {{"first_word", words_text}},
         first_of_sentences,
         "the first piece of every sentence is the word, case aside",
         "a sentence, each of two words",
         true},
        {"first_word:first_word_answer",
         'E',
         {{"first_word", words_text}},
         first_of_answer,
         "the first piece is the word, case aside",
         "two words",
         true},
        {"last_word:last_word_sent",
         'S',
         {{"last_word", words_text}},
         last_of_sentences,
         "the last piece of every sentence, without what is no word character, is the word, case aside",
         "a sentence, each of two words",
         true},
        {"last_word:last_word_answer",
         'E',
         {{"last_word", words_text}},
         last_of_answer,
         "the last piece, without what is no word character, is the word, case aside",
         "two words",
         true},
        {"punctuation:punctuation_dot", 'E', {}, no_dot, "no full stop", "five words"},
        {"punctuation:punctuation_exclamation", 'E', {}, no_exclamation, "no !", "five words"},
        {"count:lowercase_counting",
         'E',
         {{"N", integer}},
         lowercase_words,
         "runs of word characters that are a-z alone are at most n",
         "five words",
         true},
        {"letters:letter_counting",
         'E',
         {{"N", integer}, {"relation", relation}},
         letters,
         "letters a-z and A-Z are less than or at least n",
         "less than: five words, or a sixth as many as letters are allowed"},
        {"letters:letter_counting2",
         'E',
         {{"letter", words_text}, {"let_frequency", integer}, {"let_relation", relation}},
         letter_count,
         "how often the letter stands in the lower-cased text is less than or at least n",
         "less than: five words"},
        {"count:counting_composition",
         'S',
         {{"n_sent", integer}, {"n_words", integer}},
         composition,
         "three parts between ***, each of so many sentences of so many tokens",
         same,
         true},
        {"count:count_unique", 'S', {}, unique, "no token stands twice", "five words; marks may repeat", true},
        {"count:count_increment_word",
         'E',
         {{"keyword1", keyword}, {"keyword2", keyword}},
         increment_words,
         "one match of the first keyword and two of the second, as expressions, ignoring case",
         "keywords stand for themselves, as whole words"},
        {"keywords:palindrome",
         'E',
         {},
         palindrome,
         "some piece reads the same backwards",
         "its word characters, three at least, lower-cased",
         true},
        {"keywords:keyword_specific_position",
         'S',
         {{"keyword", words_text}, {"n", integer}, {"m", integer}},
         keyword_position,
         "the m-th token of the n-th sentence is the keyword",
         "two words",
         true},
        {"keywords:start_end",
         'S',
         {},
         start_end,
         "two tokens; the first is the last, case aside",
         "three words",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
