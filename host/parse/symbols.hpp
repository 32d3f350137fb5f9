#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// The meaning of each byte in a task whose answers are words of an alphabet.
class letter_table {
public:
    /// A table without letters.
    letter_table() = default;
    explicit letter_table(answer_syntax const& syntax);

    [[nodiscard]] bool holds(char c) const { return place_[std::uint8_t(c)] != 0; }
    [[nodiscard]] std::int32_t value(char c) const { return first_ + place_[std::uint8_t(c)] - 1; }
    [[nodiscard]] bool holds_all(std::string_view text) const;

private:
    std::int32_t first_ = 0;
    std::uint8_t place_[256] = {};  ///< place in the alphabet, from 1; 0: not a letter
};

/// Reads an answer written in letters (`answer_syntax` has the rules) and appends its block to `words`. Returns false
/// and leaves `words` unchanged when the text is none. Takes one pass and allocates only the values and the lengths of
/// rows.
bool read_letters(std::string_view text, letter_table const& letters, bool rows, std::vector<std::int32_t>& words);

}  // namespace optgap::text
