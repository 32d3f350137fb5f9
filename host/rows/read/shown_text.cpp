#include "host/rows/read/shown_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

namespace optgap::rows {
namespace {

constexpr std::size_t shown_before = 400;
constexpr std::size_t shown_inside = 800;
constexpr std::size_t shown_after = 200;

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

/// `at`, moved off the inside of a UTF-8 character.
std::size_t character_start(std::string_view text, std::size_t at) {
    while (at < text.size() && at > 0 && continues_character(text[at])) {
        --at;
    }
    return at;
}

struct shown_character {
    std::uint32_t point = 0;
    std::size_t size = 0;  ///< bytes; 0: no UTF-8 begins here
};

shown_character character_at(std::string_view text) {
    auto const first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) {
        return {first, 1};
    }
    std::size_t const size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size) {
        return {};
    }
    std::uint32_t point = first & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if (!continues_character(text[i])) {
            return {};
        }
        point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    }
    constexpr std::uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool const surrogate = point >= 0xD800 && point < 0xE000;
    return point < lowest[size] || surrogate || point > 0x10FFFF ? shown_character{} : shown_character{point, size};
}

/// Whether a character steers a terminal or hides what stands beside it.
bool steers(std::uint32_t point) {
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x61C || (point >= 0x200B && point <= 0x200F) ||
           (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
           (point >= 0xFFF9 && point <= 0xFFFB) || point >= 0xE0000;
}

/// Appends one printable character and returns the bytes that it took.
std::size_t append_printable(std::string& out, std::string_view text) {
    auto const [point, size] = character_at(text);
    if (size == 0 || (size == 1 && steers(point))) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        return 1;
    }
    if (steers(point)) {
        out += fmt::format("\\u{{{:04x}}}", point);
    } else {
        out += text.substr(0, size);
    }
    return size;
}

}  // namespace

std::string painter::paint(char const* style, std::string_view text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
}

std::string painter::mark(std::string_view text) const {
    return colour_ ? paint("7", text) : fmt::format(">>>{}<<<", text);
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        if (text[0] == '\n' || text[0] == '\t') {
            out += text[0];
            text.remove_prefix(1);
        } else {
            text.remove_prefix(append_printable(out, text));
        }
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) {
        return printable(text);
    }
    std::size_t const head = character_start(text, max_bytes * 3 / 4);
    std::size_t const tail = character_start(text, text.size() - max_bytes / 4);
    return fmt::format("{} [... {} bytes ...] {}", printable(text.substr(0, head)), tail - head,
                       printable(text.substr(tail)));
}

std::string one_line(std::string_view text, std::size_t max_bytes) {
    constexpr std::string_view rest = "...";
    std::string out;
    std::size_t kept = 0;  // bytes after which there is room for `rest`
    while (!text.empty()) {
        kept = out.size() + rest.size() <= max_bytes ? out.size() : kept;
        if (text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
            out += ' ';
            text.remove_prefix(1);
        } else {
            text.remove_prefix(append_printable(out, text));
        }
        if (out.size() > max_bytes) {
            out.resize(kept);
            return out += rest;
        }
    }
    return out;
}

std::string as_sentence(std::string_view words) {
    std::string out(words);
    if (!out.empty()) {
        out[0] = char(std::toupper(static_cast<unsigned char>(out[0])));
        out += out.back() == '.' ? "" : ".";
    }
    return out;
}

std::string marked_excerpt(std::string_view text, text_span span, painter const& paint) {
    auto const begin = std::size_t(span.begin), end = std::size_t(span.end);
    std::string out;
    if (end == 0) {
        out = shortened(text, shown_before + shown_after);
    } else {
        std::size_t const from = begin <= shown_before ? 0 : character_start(text, begin - shown_before);
        std::size_t const to =
            text.size() - end <= shown_after ? text.size() : character_start(text, end + shown_after);
        if (from > 0) {
            out += paint.faint(fmt::format("[... {} bytes ...]\n", from));
        }
        out += printable(text.substr(from, begin - from));
        out += paint.mark(shortened(text.substr(begin, end - begin), shown_inside));
        out += printable(text.substr(end, to - end));
        if (to < text.size()) {
            out += paint.faint(fmt::format("\n[... {} bytes ...]", text.size() - to));
        }
    }
    std::string indented = "  | ";
    for (char const c : out) {
        indented += c;
        indented += c == '\n' ? "  | " : "";
    }
    return indented + "\n";
}

}  // namespace optgap::rows
