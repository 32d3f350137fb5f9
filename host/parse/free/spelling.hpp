#pragma once
// Rewrites answers in prose, LaTeX and other keyboards' characters into the grammar's spelling. The table in
// docs/formats.md ("Spelling") lists each rewriting, and the tests read it. Every step takes time linear in the text.

#include <string>
#include <string_view>

namespace optgap::text {

/// The kinds of answers that a task allows. They decide the meaning of a brace and of a word between numbers.
struct free_reading {
    bool lists = true;         ///< {1, 2} is a list, "1 and 2" two values
    bool expressions = false;  ///< braces are brackets of the expression
    bool letters = false;      ///< words of an alphabet, whose letters are not punctuation
};

/// Whether a label withdraws what follows: "Wrong answer:", "maybe:".
bool takes_back(std::string_view label);

/// The content of the only box or pair of answer tags, where only harmless words surround it; else the text.
std::string_view unboxed(std::string_view text);

/// Rewrites blanks, commas, brackets, digits and signs of Unicode, and LaTeX's commands for faces, sizes, spaces and
/// brackets.
std::string plain_characters(std::string_view text, free_reading reading);

/// Removes the words of a sentence around a value: "The answer is", a remark in brackets after it, emphasis, quotes.
/// Writes commas for "and" between values.
std::string plain_words(std::string_view text, free_reading reading);

/// Applies all of these. Integers joined by commas get their brackets.
std::string plain_spelling(std::string_view text, free_reading reading);

}  // namespace optgap::text
