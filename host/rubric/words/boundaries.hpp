#pragma once
// Word ends for optgap's own checks (the published forms of instruction types keep Python's \w). A word is a run of
// letters, numbers and _, with the marks and format characters that stand on them (UAX #29, rule WB4). In a run of a
// script without blanks (Thai, Lao, Khmer, Myanmar, Han, kana) words are those of ICU. Such a run begins and ends a
// word, whatever stands beside it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/unicode.hpp"

namespace optgap::rubrics {

/// Whether a character belongs to the word before it: marks (M*) and format characters (Cf), but not U+200B, which is a
/// break.
bool is_joiner(char32_t point, point_properties is);
/// Whether a character is a letter, a number or a mark of a script without blanks, or kana's prolonged sound mark.
bool is_unblanked(char32_t point, point_properties is);

/// Takes linear time when it is queried for places of one text in ascending order.
class word_boundaries {
public:
    explicit word_boundaries(std::string_view text) : text_(text) {}
    /// Whether one word continues across `at`.
    bool inside_word(std::size_t at);

private:
    bool inside_run(std::size_t at);

    std::string_view text_;
    std::size_t begin_ = 0, end_ = 0;    ///< the run of the last query
    std::vector<std::uint32_t> breaks_;  ///< within it
};

/// Puts a blank at both ends of each word of a script without blanks, unless white space or a mark outside words stands
/// there. Rules about words between blanks then apply to such words, too.
void space_words(std::string_view text, std::string& out);

}  // namespace optgap::rubrics
