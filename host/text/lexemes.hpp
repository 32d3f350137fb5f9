#pragma once
// The smallest pieces of text that the scanner and the answer grammar agree on.

#include <array>
#include <cstddef>
#include <string_view>

namespace optgap::text {

/// White space of answers: nothing else is skipped, neither a no-break space nor a zero-width one.
constexpr bool is_white(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_open(char c) { return c == '[' || c == '('; }

/// ASCII only, so that no locale changes what an answer means.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; }

/// What chat templates write behind a finished turn, for decoders that keep special tokens.
inline constexpr std::array<std::string_view, 4> end_of_turn{"<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>"};

/// Length of the end-of-turn token that `text` starts with, 0 if none.
constexpr std::size_t leading_end_of_turn(std::string_view text) {
    if (text.empty() || text.front() != '<') {
        return 0;
    }
    for (std::string_view const token : end_of_turn) {
        if (text.substr(0, token.size()) == token) {
            return token.size();
        }
    }
    return 0;
}

/// Length of the end-of-turn token that `text` ends with, 0 if none.
constexpr std::size_t trailing_end_of_turn(std::string_view text) {
    if (text.empty() || text.back() != '>') {
        return 0;
    }
    for (std::string_view const token : end_of_turn) {
        if (text.size() >= token.size() && text.substr(text.size() - token.size()) == token) {
            return token.size();
        }
    }
    return 0;
}

}  // namespace optgap::text
