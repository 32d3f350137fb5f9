#pragma once
// Code points of UTF-8 and their properties: Unicode 15.0, from tables that host/rubric/unicode.cpp unpacks.

#include <cstdint>

#include "kernels/core/hd.hpp"

namespace optgap::rubrics {

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
    spaceless,  ///< Lao, Khmer, Myanmar: words are not separated by spaces
    count,
};

/// Bits of a code point's properties.
enum point_class : std::uint16_t {
    is_word = 1,           ///< alphanumeric as defined by Python's isalnum, or _
    is_space = 2,          ///< the 29 that Python's split() and \s accept
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
    may_be_emoji = 4096,  ///< Emoji: an emoji if U+FE0F follows
};

struct point_properties {
    std::uint16_t classes = 0;
    script of = script::other;
};

inline constexpr char32_t broken_point = 0xFFFD;
inline constexpr char32_t beyond_points = 0x110000;

struct decoded {
    char32_t point = 0;
    std::uint32_t size = 0;  ///< bytes: 1 to 4
    bool broken = false;     ///< one byte, read as U+FFFD
};

/// Two levels: a block number for each 64 code points, a kind for each point of a block, and the kinds.
struct point_table {
    // Beyond U+34000 there is only one stretch of characters, from U+E0000 on; it is moved down.
    static constexpr char32_t low_end = 0x34000;
    static constexpr char32_t high_begin = 0xE0000;
    static constexpr char32_t high_end = 0xE1000;
    static constexpr unsigned block_bits = 6;
    static constexpr std::uint32_t block_count = std::uint32_t(low_end + high_end - high_begin) >> block_bits;

    point_properties const* kinds = nullptr;
    std::uint16_t const* block_of = nullptr;
    std::uint8_t const* blocks = nullptr;
};

}  // namespace optgap::rubrics

OPTGAP_KERNELS_BEGIN

/// A point beyond Unicode has no properties.
OPTGAP_HD inline rubrics::point_properties properties_in(rubrics::point_table const& table, char32_t point) {
    using of = rubrics::point_table;
    if (point >= of::low_end) {
        if (point < of::high_begin || point >= of::high_end) {
            return point < rubrics::beyond_points ? table.kinds[0] : rubrics::point_properties{};
        }
        point = point - of::high_begin + of::low_end;
    }
    std::uint32_t const which = table.block_of[point >> of::block_bits];
    return table.kinds[table.blocks[(which << of::block_bits) + (point & ((1u << of::block_bits) - 1))]];
}

OPTGAP_HD inline bool continues_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The code point at `at` < size.
OPTGAP_HD inline rubrics::decoded decode_point(char const* text, std::int64_t size, std::int64_t at) {
    auto const byte = [&](std::int64_t k) { return char32_t(static_cast<unsigned char>(text[at + k])); };
    char32_t const lead = byte(0);
    rubrics::decoded const broken{rubrics::broken_point, 1, true};
    if (lead < 0x80) {
        return {lead, 1, false};
    }
    std::int64_t const left = size - at;
    if (lead < 0xC2 || lead > 0xF4 || left < 2 || !continues_point(text[at + 1])) {
        return broken;
    }
    if (lead < 0xE0) {
        return {(lead & 31) << 6 | (byte(1) & 63), 2, false};
    }
    if (left < 3 || !continues_point(text[at + 2])) {
        return broken;
    }
    if (lead < 0xF0) {
        char32_t const point = (lead & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
        return point < 0x800 || (point >= 0xD800 && point < 0xE000) ? broken : rubrics::decoded{point, 3, false};
    }
    if (left < 4 || !continues_point(text[at + 3])) {
        return broken;
    }
    char32_t const point = (lead & 7) << 18 | (byte(1) & 63) << 12 | (byte(2) & 63) << 6 | (byte(3) & 63);
    return point < 0x10000 || point >= rubrics::beyond_points ? broken : rubrics::decoded{point, 4, false};
}

/// The code point that ends before `at` > 0.
OPTGAP_HD inline rubrics::decoded point_before(char const* text, std::int64_t size, std::int64_t at) {
    std::int64_t first = at - 1;
    while (first > 0 && at - first < 4 && continues_point(text[first])) {
        --first;
    }
    rubrics::decoded const one = decode_point(text, size, first);
    return !one.broken && first + one.size == at ? one : rubrics::decoded{rubrics::broken_point, 1, true};
}

/// Whether a code point begins at this byte. The caller need not have scanned from the left: a byte inside a code point
/// is a continuation byte, and its lead byte is at most three bytes earlier.
OPTGAP_HD inline bool begins_point(char const* text, std::int64_t size, std::int64_t at) {
    if (!continues_point(text[at])) {
        return true;
    }
    std::int64_t first = at - 1;
    while (first >= 0 && at - first < 3 && continues_point(text[first])) {
        --first;
    }
    return first < 0 || first + decode_point(text, size, first).size <= at;
}

OPTGAP_KERNELS_END
