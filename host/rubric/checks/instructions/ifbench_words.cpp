// IFBench's types about words: letters, lengths, order, and relations between consecutive sentences.

#include <algorithm>
#include <unordered_map>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_words {

type_answer alphabet(type_input const& in) {
    split_text const& words = in.forms.bare();
    if (words.size() == 0) {
        return false;
    }
    std::string const first = lowered(first_point(words[0]));
    if (first.size() != 1 || !is_letter_byte(first[0])) {
        return false;
    }
    char letter = first[0];
    for (std::size_t k = 1; k < words.size(); ++k) {
        letter = letter == 'z' ? 'a' : char(letter + 1);
        // lower() of a whole piece and of its first character begin with the same character.
        if (!lowered(first_point(words[k])).starts_with(letter)) {
            return {false, std::int64_t(k)};
        }
    }
    return {!in.strict || words.size() >= 5, std::int64_t(words.size())};
}

type_answer vowels(type_input const& in) {
    std::string_view const text = in.forms.stripped();
    if (contains(text, "\n")) {
        return false;
    }
    std::int64_t kinds = 0;
    for (char const vowel : std::string_view("aeiou")) {
        kinds += contains(in.forms.lower(), std::string_view(&vowel, 1));
    }
    return {kinds <= 3 && in.enough(), kinds};
}

bool is_consonant(char byte) {
    return byte >= 'a' && byte <= 'z' && std::string_view("aeiou").find(byte) == std::string_view::npos;
}

type_answer consonants(type_input const& in) {
    split_text const& words = in.forms.lower_pieces();
    for (std::size_t k = 0; k < words.size(); ++k) {
        std::string_view const word = words[k];
        bool cluster = false;
        for (std::size_t at = 0; at + 1 < word.size() && !cluster; ++at) {
            cluster = is_consonant(word[at]) && is_consonant(word[at + 1]);
        }
        if (!cluster) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.enough(), std::int64_t(words.size())};
}

type_answer alliteration(type_input const& in) {
    std::int64_t before = -1;
    for (std::size_t k = 0; k < in.sentence_count(); ++k) {
        std::int64_t count = 0;
        bool running = false;
        std::string_view last;
        std::string const sentence = lowered(in.sentence(k));
        for (std::string_view const piece : pieces_of(sentence)) {
            std::string_view const word = without_marks_left(piece);
            if (word.empty()) {
                continue;
            }
            std::string_view const first = first_point(word);
            bool const same = !last.empty() && first == last;
            count += same ? (running ? 1 : 2) : 0;
            running = same;
            last = first;
        }
        if (count <= before) {
            return {false, count};
        }
        before = count;
    }
    return {in.full_sentences(2), before};
}

type_answer palindromes(type_input const& in) {
    std::int64_t count = 0;
    in.forms.tally(word_role::bare).each(word_role::bare, [&](kept_word const& word, std::int64_t times) {
        std::string_view const text = word.view();
        bool const may_be = text.size() >= 5 && (!in.text.ascii || text.front() == text.back());
        count += may_be && is_palindrome(text) && point_count(text) >= 5 ? times : 0;
    });
    return {count >= 10, count};
}

type_answer prime_lengths(type_input const& in) {
    static constexpr std::int64_t primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                              43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97};
    split_text const& words = in.forms.bare();
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (!std::binary_search(std::begin(primes), std::end(primes), point_count(words[k]))) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.enough(), std::int64_t(words.size())};
}

type_answer start_verb(type_input const& in) {
    if (in.forms.tokens().empty()) {
        return false;
    }
    std::string const first = lowered(in.text.of(in.forms.tokens()[0]));
    std::vector<std::string> const& verbs = in.given[0].list;
    return std::binary_search(verbs.begin(), verbs.end(), first) && in.enough(2);
}

type_answer repeats(type_input const& in) {
    std::int64_t most = 0;
    in.forms.tally(word_role::bare).each(word_role::bare, [&](kept_word const&, std::int64_t times) {
        most = std::max(most, times);
    });
    return {most <= in.number(0) && in.enough(), most};
}

/// Counts groups of vowels, for words that the user's table does not have.

std::int64_t vowel_groups(std::string_view word) {
    std::int64_t groups = 0;
    bool inside = false;
    for (char const byte : word) {
        bool const vowel = std::string_view("aeiouy").find(byte) != std::string_view::npos;
        groups += vowel && !inside;
        inside = vowel;
    }
    return groups;
}

type_answer syllables(type_input const& in) {
    split_text const& words = in.forms.lower_bare();
    auto const& table = in.given[0].counts;
    std::int64_t before = -1;
    for (std::size_t k = 0; k < words.size(); ++k) {
        auto const known = table.find(words[k]);
        std::int64_t const parity = (known != table.end() ? known->second : vowel_groups(words[k])) % 2;
        if (parity == before) {
            return {false, std::int64_t(k)};
        }
        before = parity;
    }
    return {in.enough(), std::int64_t(words.size())};
}

type_answer last_first(type_input const& in) {
    for (std::size_t k = 0; k + 1 < in.sentence_count(); ++k) {
        std::vector<std::string_view> const last = pieces_of(without_marks_right(in.sentence(k)));
        std::vector<std::string_view> const first = pieces_of(without_marks_left(in.sentence(k + 1)));
        if (last.empty() || first.empty() || lowered(last.back()) != lowered(first.front())) {
            return {false, std::int64_t(k)};
        }
    }
    return in.full_sentences(2);
}

type_answer paragraph_last_first(type_input const& in) {
    std::int64_t judged = 0;
    for (place const& line : in.text.lines()) {
        std::string const lower = lowered(trimmed(in.text.of(line)));
        std::vector<std::string_view> const words = pieces_of(without_marks(lower));
        if (words.empty()) {
            continue;
        }
        if (words.front() != words.back() || (in.strict && words.size() < 2)) {
            return {false, judged};
        }
        ++judged;
    }
    return {!in.strict || judged > 0, judged};
}

std::int64_t bare_words(std::string_view sentence) {
    std::string bare;
    delete_marks(sentence, bare);
    return std::int64_t(pieces_of(bare).size());
}

type_answer increment(type_input const& in) {
    if (in.sentence_count() == 0) {
        return false;
    }
    std::int64_t before = bare_words(in.sentence(0));
    for (std::size_t k = 1; k < in.sentence_count(); ++k) {
        std::int64_t const count = bare_words(in.sentence(k));
        if (count != before + in.number(0)) {
            return {false, std::int64_t(k)};
        }
        before = count;
    }
    return {in.full_sentences(2), std::int64_t(in.sentence_count())};
}

type_answer no_consecutive(type_input const& in) {
    split_text const& words = in.forms.lower_bare();
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
        if (first_point(words[k]) == first_point(words[k + 1])) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.enough(), std::int64_t(words.size())};
}

type_answer sentence_words(type_input const& in) {
    if (in.sentence_count() != 3) {
        return {false, std::int64_t(in.sentence_count())};
    }
    std::int64_t const size = point_count(in.sentence(0));
    if (point_count(in.sentence(1)) != size || point_count(in.sentence(2)) != size) {
        return {false, 3};
    }
    if (!in.strict) {
        return {true, 3};
    }
    split_text const& words = in.forms.lower_bare();
    std::unordered_map<std::string_view, std::int64_t> counts;
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (++counts[words[k]] > 1) {
            return {false, 3};
        }
    }
    return {in.full_sentences(3), 3};
}

}  // namespace ifbench_words

std::span<instruction_type const> ifbench_word_types() {
    using namespace ifbench_words;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"words:alphabet",
         'E',
         {},
         alphabet,
         "punctuation deleted, the first piece begins with a letter a-z, and each next piece with the next letter, a "
         "after z",
         "five pieces",
         true},
        {"words:vowel",
         'E',
         {},
         vowels,
         "one line, stripped; at most three of a, e, i, o, u, lower-cased",
         "five words"},
        {"words:consonants",
         'E',
         {},
         consonants,
         "every lower-cased piece has two neighbouring consonants (y is one)",
         "five words",
         true},
        {"sentence:alliteration_increment",
         'S',
         {},
         alliteration,
         "each sentence has more pieces in runs of one first letter (punctuation before it removed) than the one "
         "before",
         "two sentences of two words",
         true},
        {"words:palindrome",
         'E',
         {},
         palindromes,
         "punctuation deleted and lower-cased, ten pieces of five characters or more read the same backwards",
         same,
         true},
        {"words:prime_lengths",
         'E',
         {},
         prime_lengths,
         "punctuation deleted, the length of every piece is a prime up to 97",
         "five words",
         true},
        {"words:start_verb",
         'D',
         {{"verbs", argument_kind::words}},
         start_verb,
         "the first token is a listed verb",
         "two words",
         true},
        {"words:repeats",
         'E',
         {{"small_n", integer}},
         repeats,
         "lower-cased and punctuation deleted, no piece stands more than n times",
         "five words",
         true},
        {"words:odd_even_syllables",
         'D',
         {{"syllables", counts}},
         syllables,
         "lower-cased and punctuation deleted, numbers of syllables are odd and even by turns; a word that the table "
         "lacks has "
         "its groups of vowels",
         "five words",
         true},
        {"words:last_first",
         'S',
         {},
         last_first,
         "the last piece of each sentence is the first of the next, punctuation and case aside",
         "two sentences of two words",
         true},
        {"words:paragraph_last_first",
         'E',
         {},
         paragraph_last_first,
         "each line that is not empty ends with the piece it began with, punctuation around the line and case aside",
         "two pieces in each, and one such line",
         true},
        {"sentence:increment",
         'S',
         {{"small_n", integer}},
         increment,
         "punctuation deleted, each sentence has n pieces more than the one before",
         "two sentences of two words",
         true},
        {"words:no_consecutive",
         'E',
         {},
         no_consecutive,
         "lower-cased and punctuation deleted, no two neighbouring pieces begin alike",
         "five words",
         true},
        {"ratio:sentence_words",
         'S',
         {},
         sentence_words,
         "exactly three sentences, as long as each other",
         "no word stands twice; each sentence has two"},
    };
    return types;
}

}  // namespace optgap::rubrics
