#include "host/pool/question.hpp"

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::pool {
namespace {

constexpr std::string_view blanks = " \t\n";
/// Chat templates mark turns by the first; the others are the tags by which completions of roles are read.
constexpr std::string_view forbidden_marks[] = {"<|",        "<question>", "</question>", "<answer>",
                                                "</answer>", "<score>",    "</score>"};

bool question_digit(char c) { return c >= '0' && c <= '9'; }
/// Bytes beyond ASCII count as letters.
bool question_letter(char c) {
    return question_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/// Whether a character is not seen, so that two texts with and without it look alike: controls, marks of direction,
/// characters of no width but joiners, which scripts need.
bool is_hidden(std::uint32_t point) {
    return (point >= 0x80 && point < 0xA0) || point == 0xAD || point == 0x200B || point == 0x200E || point == 0x200F ||
           (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
           (point >= 0xE0000 && point <= 0xE007F);
}

/// The length of the visible UTF-8 character at `at`; 0 where there is none.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? std::uint32_t(std::uint8_t(text[i])) : 0u; };
    std::uint32_t const first = byte(at);
    std::size_t const length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length < 2) {
        return length;
    }
    std::uint32_t point = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(at + i) >> 6 != 2) {
            return 0;
        }
        point = point << 6 | (byte(at + i) & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool const surrogate = point >= 0xD800 && point < 0xE000;
    return point < least[length] || point > 0x10FFFF || surrogate || is_hidden(point) ? 0 : length;
}

std::string_view trimmed(std::string_view text) {
    std::size_t const first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void require_text(std::string_view text, char const* field) {
    if (text.size() > max_question_bytes) {
        throw field_error(field, fmt::format("has {} bytes: expected at most {}", text.size(), max_question_bytes));
    }
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const length = character_bytes(text, at);
        bool const control = length == 1 && (std::uint8_t(text[at]) < 32 || text[at] == 127);
        if (length == 0 || (control && text[at] != '\n' && text[at] != '\t')) {
            throw field_error(field, fmt::format("has a hidden character or bytes that are not UTF-8 at byte {}: "
                                                 "expected text",
                                                 at));
        }
        at += length;
    }
    for (std::string_view const mark : forbidden_marks) {
        if (text.find(mark) != std::string_view::npos) {
            throw field_error(field, fmt::format("has {}, which chat templates or parsers of roles read: expected text "
                                                 "without",
                                                 mark));
        }
    }
}

std::vector<std::int32_t> words_from(std::string_view text) {
    std::vector<std::int32_t> out;
    for (char const c : text) {
        out.push_back(std::uint8_t(c));
    }
    return out;
}

/// The text of such words; throws field_error{field} where one is no byte.
std::string text_from(std::vector<std::int32_t> const& words, char const* field) {
    std::string out;
    for (std::int32_t const word : words) {
        if (word < 0 || word > 255) {
            throw field_error(field, fmt::format("has the word {}: expected bytes of a text", word));
        }
        out.push_back(char(word));
    }
    return out;
}

}  // namespace

std::string words_of_question(std::string_view text) {
    constexpr std::string_view punctuation = ".,;:?\"'`";
    std::string out;
    bool joined = false;  // whether the next letter belongs to the last word
    for (std::size_t at = 0; at < text.size(); ++at) {
        char const c = text[at];
        bool const letter = question_letter(c);
        bool const drops = !letter && (blanks.find(c) != std::string_view::npos || c == '\r' ||
                                       punctuation.find(c) != std::string_view::npos);
        bool const between = at > 0 && at + 1 < text.size() && question_digit(text[at - 1]) &&
                             question_digit(text[at + 1]) && (c == '.' || c == ',' || c == ':' || c == ';');
        if (drops && !between) {
            joined = false;
            continue;
        }
        if (!joined && !out.empty()) {
            out.push_back(' ');
        }
        if (!letter && !between && joined) {
            out.push_back(' ');
        }
        out.push_back(c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c);
        joined = letter || between;
    }
    return out;
}

entry question_entry(question const& of) {
    std::string_view const text = trimmed(of.text), reference = trimmed(of.reference);
    require_text(text, "question");
    require_text(reference, "reference");
    std::string const words = words_of_question(text);
    if (words.empty()) {
        throw field_error("question", "has no words: expected a text");
    }
    byte_line line;
    line.text("question 1");
    line.text(words);
    entry out;
    out.task = question_task;
    out.canonical = line.hash();
    out.words = words_from(text);
    out.answer = words_from(reference);
    return out;
}

question question_of(entry const& one) {
    return {text_from(one.words, "question"), text_from(one.answer, "reference")};
}

std::string fault_of_question(entry const& one) {
    try {
        entry again = question_entry(question_of(one));
        again.kind = one.kind;
        again.parent = one.parent;
        again.step = one.step;
        if (again.canonical != one.canonical) {
            return fmt::format("the hash of its words is {}, not {}", hex32(again.canonical), hex32(one.canonical));
        }
        return digest_of(again) == digest_of(one) ? std::string() : "is not what a question's entry says";
    } catch (field_error const& broken) {
        return fmt::format("is no question: {}: {}", broken.field(), broken.rule());
    }
}

}  // namespace optgap::pool
