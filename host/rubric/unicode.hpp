#pragma once
// Properties of code points in Unicode 15.0. tools/unicode_tables.py writes their tables from Debian's unicode-data.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/rubric/points.hpp"

namespace optgap::rubrics {

/// U+FFFD and values beyond Unicode have no properties.
point_properties properties_of(char32_t point);
inline bool is_a(char32_t point, std::uint16_t classes) { return (properties_of(point).classes & classes) != 0; }
/// The tables of properties, for code of kernels/rubric.
point_table const& point_properties_table();
/// The memory that the tables take.
std::size_t unicode_table_bytes();
/// Whether a script is written without spaces: Han, kana, Thai, Lao, Khmer, Myanmar.
bool is_spaceless(script of);

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
/// ASCII letters to lower case, broken bytes unchanged; `append(one, at)` handles any other code point.
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

}  // namespace optgap::rubrics
