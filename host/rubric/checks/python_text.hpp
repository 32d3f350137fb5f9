#pragma once
// Python's str methods on UTF-8, in which the published rules of instruction types are written.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/bytes.hpp"
#include "host/rubric/text.hpp"

namespace optgap::rubrics {

/// One of the 32 ASCII punctuation characters.
constexpr bool is_mark_byte(char byte) {
    return (byte >= 33 && byte <= 47) || (byte >= 58 && byte <= 64) || (byte >= 91 && byte <= 96) ||
           (byte >= 123 && byte <= 126);
}
constexpr bool is_digit_byte(char byte) { return byte >= '0' && byte <= '9'; }
constexpr bool is_letter_byte(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/// The same for a code point beyond ASCII in any of the classes.
std::size_t wide_size(std::string_view text, std::size_t at, std::uint16_t classes);
constexpr bool is_ascii_byte(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

/// The bytes of the white space at a place below text.size(); 0 for anything else.
inline std::size_t space_size(std::string_view text, std::size_t at) {
    char const byte = text[at];
    return is_ascii_byte(byte) ? (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 32)
                               : wide_size(text, at, is_space);
}
/// The same for a decimal digit, and for a word character.
inline std::size_t digit_size(std::string_view text, std::size_t at) {
    return is_ascii_byte(text[at]) ? is_digit_byte(text[at]) : wide_size(text, at, is_digit);
}
inline std::size_t word_size(std::string_view text, std::size_t at) {
    char const byte = text[at];
    return is_ascii_byte(byte) ? is_letter_byte(byte) || is_digit_byte(byte) || byte == '_'
                               : wide_size(text, at, is_word);
}
/// The bytes of the code point at a place below text.size().
inline std::size_t point_size(std::string_view text, std::size_t at) {
    return is_ascii_byte(text[at]) ? 1 : decode(text, at).size;
}
/// \b: one side is a word character, the other is not.
bool is_boundary(std::string_view text, std::size_t at);

/// strip(), lstrip() and rstrip() of white space.
std::string_view trimmed(std::string_view text);
std::string_view trimmed_left(std::string_view text);
std::string_view trimmed_right(std::string_view text);
inline bool is_blank(std::string_view text) { return trimmed(text).empty(); }

/// strip(), lstrip() and rstrip() of ASCII punctuation and blanks.
std::string_view without_marks(std::string_view text);
std::string_view without_marks_left(std::string_view text);
std::string_view without_marks_right(std::string_view text);
/// strip() of one character.
std::string_view without_ends(std::string_view text, char byte);

/// split(): the pieces between white space.
void split_pieces(std::string_view text, std::vector<place>& out);
/// The same by code points, as the reference for the fast path that split_pieces takes for ASCII.
void split_pieces_of_points(std::string_view text, std::vector<place>& out);
std::vector<std::string_view> pieces_of(std::string_view text);
/// split(separator).
std::vector<std::string_view> split_at(std::string_view text, std::string_view separator);

std::string lowered(std::string_view text);
/// Folds each code point by python_fold, as IGNORECASE does.
void fold_points(std::string_view text, std::string& out);
/// Deletes all ASCII punctuation.
void delete_marks(std::string_view text, std::string& out);
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

std::int64_t point_count(std::string_view text);
/// The first and the last code point, as bytes; empty for an empty text.
std::string_view first_point(std::string_view text);
std::string_view last_point(std::string_view text);

/// isupper() and islower(): some cased character, and none of another case.
bool is_upper_text(std::string_view text);
bool is_lower_text(std::string_view text);
/// isdigit(), for decimal digits.
bool is_digit_text(std::string_view text);
bool has_word_point(std::string_view text);

inline bool contains(std::string_view text, std::string_view part) {
    return find_part(text, part) != std::string_view::npos;
}
std::int64_t count_of(std::string_view text, std::string_view part);
/// NFKD without characters beyond ASCII. A build without normal forms only drops those.
std::string ascii_form(std::string_view text);
/// Whether the code points are equal from the front and from the back.
bool is_palindrome(std::string_view text);

}  // namespace optgap::rubrics
