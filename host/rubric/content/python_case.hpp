#pragma once
// Letters that Python's re treats as equal under IGNORECASE. Two code points match when their simple lower cases are
// equal or in one of the classes that re adds (CPython 3.11, Lib/re/_casefix.py). A class is named by one letter.

#include <string>
#include <string_view>

#include "host/rubric/unicode.hpp"

namespace optgap::rubrics {

/// Returns the letter that names the class of `point`.
char32_t ignorecase_class(char32_t point);

/// Whether str.lower() of a text with this letter may differ from the letters of its classes: ſ matches s, but stays ſ.
bool has_own_lower_case(char32_t point);

}  // namespace optgap::rubrics
