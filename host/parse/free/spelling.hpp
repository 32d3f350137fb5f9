#pragma once
// Answers as prose, LaTeX and other keyboards write them, put into the grammar's spelling. What each step reads as what
// is the table of docs/formats.md ("Spelling"), which the tests read. Every step is linear in the text.

#include <string>
#include <string_view>

namespace optgap::text {

/// What the answers of a task may be decides what a brace and a word between numbers mean.
struct free_reading {
    bool lists = true;         ///< {1, 2} is a list, "1 and 2" two values
    bool expressions = false;  ///< braces are brackets of the expression
    bool letters = false;      ///< words of an alphabet, whose signs are no marks
};

/// Does a label say that what follows is not stood by: "Wrong answer:", "maybe:"?
bool takes_back(std::string_view label);

/// The content of the only box, or pair of answer tags, where nothing but harmless words stands around it; else the
/// text.
std::string_view unboxed(std::string_view text);

/// Blanks, commas, brackets, digits and signs of Unicode, and LaTeX's commands for faces, sizes, spaces and brackets.
std::string plain_characters(std::string_view text, free_reading reading);

/// Takes off what a sentence says around a value: "The answer is", a remark in brackets behind it, emphasis, quotes;
/// and writes commas for "and" between values.
std::string plain_words(std::string_view text, free_reading reading);

/// All of these. Integers that commas join get their brackets.
std::string plain_spelling(std::string_view text, free_reading reading);

}  // namespace optgap::text
