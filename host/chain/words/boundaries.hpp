#pragma once
// Where words end, for checks of ours (the published forms of instruction types keep Python's \w): a word is a run of
// letters, numbers and _, with the marks and format characters that stand on them (UAX #29, rule WB4). In a run of a
// script without blanks (Thai, Lao, Khmer, Myanmar, Han, kana) ICU's words are the words, and such a run begins and
// ends one, whatever stands beside it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/chain/unicode.hpp"

namespace optgap::chain {

/// Marks (M*) and format characters (Cf) but U+200B, a break by itself: they belong to the word before them.
bool is_joiner(char32_t point, point_properties is);
/// A letter, a number or a mark of a script without blanks, or kana's mark of length.
bool is_unblanked(char32_t point, point_properties is);

/// Asked about places of one text, from its begin on: time is linear then.
class word_boundaries {
public:
    explicit word_boundaries(std::string_view text) : text_(text) {}
    /// Whether one word stands at both sides of `at`.
    bool inside_word(std::size_t at);

private:
    bool inside_run(std::size_t at);

    std::string_view text_;
    std::size_t begin_ = 0, end_ = 0;    ///< the run that was asked about last
    std::vector<std::uint32_t> breaks_;  ///< of it
};

/// The text with a blank at both ends of each word of a script without blanks, unless white space or a mark that is no
/// word stands there: what is asked about words by blanks is then asked of words.
void space_words(std::string_view text, std::string& out);

}  // namespace optgap::chain
