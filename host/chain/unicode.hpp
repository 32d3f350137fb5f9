#pragma once
// Properties of code points: Unicode 15.0, from tables that tools/unicode_tables.py writes from Debian's unicode-data.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace optgap::chain {

enum class script : std::uint8_t {
    other,
    latin,
    cyrillic,
    greek,
    han,
    hiragana,
    katakana,
    hangul,
    arabic,
    hebrew,
    thai,
    devanagari,
    spaceless,  ///< Lao, Khmer, Myanmar: words without spaces between them
    count,
};

/// Bits of a code point's properties.
enum point_class : std::uint16_t {
    is_word = 1,           ///< alphanumeric as Python's isalnum says, or _
    is_space = 2,          ///< the 29 that Python's split() and \s take
    is_digit = 4,          ///< Nd
    is_upper = 8,          ///< Uppercase
    is_lower = 16,         ///< Lowercase
    is_title = 32,         ///< Lt
    is_mark = 64,          ///< M*
    is_punctuation = 128,  ///< ASCII's 32, and P*
    is_emoji = 256,        ///< Emoji_Presentation
    is_format = 512,       ///< Cf
    is_letter = 1024,      ///< L*
    is_case_ignorable = 2048,
    may_be_emoji = 4096,  ///< Emoji: one with U+FE0F behind it
};

struct point_properties {
    std::uint16_t classes = 0;
    script of = script::other;
};

inline constexpr char32_t broken_point = 0xFFFD;

/// Of U+FFFD and what is beyond Unicode: none.
point_properties properties_of(char32_t point);
inline bool is_a(char32_t point, std::uint16_t classes) { return (properties_of(point).classes & classes) != 0; }
/// What the tables take in memory.
std::size_t unicode_table_bytes();
/// Scripts written without spaces: Han, kana, Thai, Lao, Khmer, Myanmar.
bool is_spaceless(script of);

struct decoded {
    char32_t point = 0;
    std::uint32_t size = 0;  ///< bytes: 1 to 4
    bool broken = false;     ///< one byte, taken for U+FFFD
};

/// The code point at `at` < text.size().
decoded decode(std::string_view text, std::size_t at);
/// The code point that ends before `at` > 0.
decoded decode_before(std::string_view text, std::size_t at);
void append_point(std::string& out, char32_t point);

char32_t simple_fold(char32_t point);
/// Simple lower case (one code point to one).
char32_t simple_lower(char32_t point);
/// simple_lower, with U+0130 and U+0131 to i, U+017F to s and U+212A to k.
char32_t python_fold(char32_t point);
/// ASCII letters to lower case, all other bytes as they are.
void lower_ascii(std::string_view text, std::string& out);
/// ASCII letters to lower case, broken bytes as they are; `append(one, at)` says what becomes of another code point.
template <class Append>
void map_points(std::string_view text, std::string& out, Append const& append) {
    out.clear();
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        auto const byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80) {
            out += char(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            ++at;
            continue;
        }
        decoded const one = decode(text, at);
        if (one.broken) {
            out += text[at];
        } else {
            append(one, at);
        }
        at += one.size;
    }
}
/// Python's str.lower(): U+0130 becomes two code points, a final sigma its own letter.
void python_lower(std::string_view text, std::string& out);

}  // namespace optgap::chain
