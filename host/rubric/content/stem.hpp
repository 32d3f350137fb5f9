#pragma once
// Stems English words with Porter's second stemmer as in Snowball 2.2 (snowballstem.org/algorithms/english), without
// its rules for apostrophes, which are not letters of a word here.

#include <string>

namespace optgap::rubrics {

/// Stems in place. `word` has only letters a to z; a stem is never longer than its word.
void stem_english(std::string& word);

}  // namespace optgap::rubrics
