#pragma once
// Hypothetical tasks: the forms of their answers.

#include <string>
#include <vector>

#include "optgap/format.hpp"

namespace optgap {

inline std::vector<answer_syntax> const& word_syntaxes() {
    static char const* const words[] = {"impossible", "ur", nullptr};
    static std::vector<answer_syntax> const all{
        {.words = words, .alphabet = "URDL"},
        {.alphabet = ".#", .letter_rows = true},
        {.alphabet = "01", .letter_rows = true},
        {.alphabet = "0123456789"},
        {.alphabet = "123456789", .first_letter = 1},
        {.alphabet = "aB*_-$"},
        {.words = words, .expressions = true},
        {.words = words, .numbers = bare_number::single},
        {.numbers = bare_number::digits},
        {.words = words, .numbers = bare_number::digit_rows},
    };
    return all;
}

inline std::vector<std::string> reference_words_of(answer_syntax const& syntax) {
    std::vector<std::string> all;
    for (char const* const* word = syntax.words; word != nullptr && *word != nullptr; ++word) {
        all.push_back(*word);
    }
    return all;
}

}  // namespace optgap
