#include "host/report/page/page_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace optgap {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed character at the beginning; 0: there is none.
std::size_t character_length(std::string_view text) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? std::uint8_t(text[i]) : std::uint8_t(0); };
    auto const follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    std::uint8_t const first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF && follows(1)) {
        return 2;
    }
    if (first >= 0xE0 && first <= 0xEF && follows(1) && follows(2)) {
        bool const overlong = first == 0xE0 && byte(1) < 0xA0;
        bool const surrogate = first == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xF0 && first <= 0xF4 && follows(1) && follows(2) && follows(3)) {
        bool const overlong = first == 0xF0 && byte(1) < 0x90;
        bool const beyond = first == 0xF4 && byte(1) >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

/// The code unit of \uXXXX at the beginning; -1: there is none.
std::int32_t escaped_unit(std::string_view text) {
    std::uint32_t unit = 0;
    if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') {
        return -1;
    }
    char const* const end = text.data() + 6;
    return std::from_chars(text.data() + 2, end, unit, 16).ptr == end ? std::int32_t(unit) : -1;
}

bool is_first_half(std::int32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_second_half(std::int32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Control characters of ASCII and of Latin 1, U+FFFE and U+FFFF; the text begins with a well-formed character.
bool is_unfit(std::string_view text) {
    auto const byte = [&](std::size_t i) { return std::uint8_t(text[i]); };
    if (byte(0) < 0x80) {
        return (byte(0) < 0x20 && text[0] != '\t' && text[0] != '\n') || byte(0) == 0x7F;
    }
    return (byte(0) == 0xC2 && byte(1) < 0xA0) || (byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE);
}

}  // namespace

std::string sound_json(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        std::string_view const rest = text.substr(i);
        std::size_t length = character_length(rest);
        if (length == 0) {
            out += replacement;
            ++i;
            continue;
        }
        if (rest[0] == '\\') {
            std::int32_t const unit = escaped_unit(rest);
            length = std::min<std::size_t>(unit < 0 ? 2 : 6, rest.size());
            bool const paired =
                is_first_half(unit) && rest.size() >= 12 && is_second_half(escaped_unit(rest.substr(6)));
            if (paired) {
                length = 12;
            } else if (is_first_half(unit) || is_second_half(unit)) {
                out += replacement;
                i += length;
                continue;
            }
        }
        out += rest.substr(0, length);
        i += length;
    }
    return out;
}

std::string clean_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        std::string_view const rest = text.substr(i);
        std::size_t const length = character_length(rest);
        out += length == 0 || is_unfit(rest) ? replacement : rest.substr(0, length);
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string link_name(std::string_view heading) {
    std::string out;
    for (char const c : heading) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') {
            out += c;
        } else if (c >= 'A' && c <= 'Z') {
            out += char(c - 'A' + 'a');
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    out.erase(out.find_last_not_of('-') + 1);
    return out;
}

std::vector<std::string_view> plain_and_code(std::string_view text) {
    std::vector<std::string_view> pieces;
    std::size_t first = 0;
    for (std::size_t open = text.find('`'); open != std::string_view::npos; open = text.find('`', first)) {
        std::size_t const closed = text.find('`', open + 1);
        if (closed == std::string_view::npos) {
            break;
        }
        pieces.push_back(text.substr(first, open - first));
        pieces.push_back(text.substr(open + 1, closed - open - 1));
        first = closed + 1;
    }
    pieces.push_back(text.substr(first));
    return pieces;
}

std::vector<std::string_view> paragraphs(std::string_view text) {
    std::vector<std::string_view> found;
    for (std::size_t first = 0; first < text.size();) {
        std::size_t const end = std::min(text.find("\n\n", first), text.size());
        if (end > first) {
            found.push_back(text.substr(first, end - first));
        }
        first = std::min(text.find_first_not_of('\n', end), text.size());
    }
    return found;
}

}  // namespace optgap
