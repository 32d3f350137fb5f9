#pragma once
// The smallest pieces of text that the scanner and the answer grammar agree on.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace optgap::text {

/// White space of answers. Nothing else is skipped, neither a no-break space nor a zero-width one.
constexpr bool is_white(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of a label: "Final answer", "tour_1".
constexpr bool is_label_byte(char c) { return is_letter(c) || is_digit(c) || c == ' ' || c == '_' || c == '-'; }

constexpr bool is_open(char c) { return c == '[' || c == '('; }

/// ASCII only, so that no locale changes what an answer means.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; }

/// Without white space at its ends.
constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_white(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_white(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// The length of the string of `ends` that `text` starts with; 0 if none.
inline std::size_t leading_end(std::string_view text, std::span<std::string const> ends) {
    for (std::string const& end : ends) {
        if (text.substr(0, end.size()) == end) {
            return end.size();
        }
    }
    return 0;
}

/// The length of the string of `ends` that `text` ends with; 0 if none.
inline std::size_t trailing_end(std::string_view text, std::span<std::string const> ends) {
    for (std::string const& end : ends) {
        if (text.size() >= end.size() && text.substr(text.size() - end.size()) == end) {
            return end.size();
        }
    }
    return 0;
}

}  // namespace optgap::text
