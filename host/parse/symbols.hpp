#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// What each byte stands for in a task whose answers are words of an alphabet.
class letter_table {
public:
    /// No byte is a letter.
    letter_table() = default;
    explicit letter_table(answer_syntax const& syntax);

    [[nodiscard]] bool holds(char c) const { return place_[std::uint8_t(c)] != 0; }
    [[nodiscard]] std::int32_t value(char c) const { return first_ + place_[std::uint8_t(c)] - 1; }
    [[nodiscard]] bool holds_all(std::string_view text) const;

private:
    std::int32_t first_ = 0;
    std::uint8_t place_[256] = {};  ///< in the alphabet, from 1; 0: no letter
};

/// Reads an answer written in letters (the rules stand at `answer_syntax`) and appends its block to `words`. False,
/// with `words` as it was, when the text is none. One pass, no allocation but the values and the lengths of rows.
bool read_letters(std::string_view text, letter_table const& letters, bool rows, std::vector<std::int32_t>& words);

}  // namespace optgap::text
