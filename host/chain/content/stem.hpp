#pragma once
// The stem of an English word: Porter's second stemmer as Snowball 2.2 has it (snowballstem.org/algorithms/english),
// without its rules for apostrophes, which are no letters of a word here.

#include <string>

namespace optgap::chain {

/// In place. `word` has letters a to z alone; a stem is never longer than its word.
void stem_english(std::string& word);

}  // namespace optgap::chain
