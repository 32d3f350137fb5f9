// Sentence splitters. Both take linear time: each byte is examined a bounded number of times.

#include <bit>
#include <cstring>

#include "host/rubric/abbreviations.hpp"
#include "host/rubric/bytes.hpp"
#include "host/rubric/text.hpp"

namespace optgap::rubrics {

namespace {

/// Marks that end a sentence: narrow ones before white space or the text's end, wide ones anywhere.
enum class mark : std::uint8_t { none, narrow, wide };

mark mark_at(std::string_view text, std::size_t at, std::size_t& size) {
    size = 1;
    switch (text[at]) {
        case '.':
        case '!':
        case '?': return mark::narrow;
        case '\xE2': size = 3; return text.substr(at, 3) == "\xE2\x80\xA6" ? mark::narrow : mark::none;  // …
        case '\xE3': size = 3; return text.substr(at, 3) == "\xE3\x80\x82" ? mark::wide : mark::none;    // 。
        case '\xEF':
            size = 3;
            return text.substr(at, 3) == "\xEF\xBC\x81" || text.substr(at, 3) == "\xEF\xBC\x9F" ? mark::wide
                                                                                                : mark::none;
        default: return mark::none;
    }
}

/// The bytes of a character that may close after a mark; 0 for anything else.
std::size_t closer_at(std::string_view text, std::size_t at) {
    switch (text[at]) {
        case '"':
        case '\'':
        case ')':
        case ']':
        case '}':
        case '*':
        case '_': return 1;
        case '\xC2': return text.substr(at, 2) == "\xC2\xBB" ? 2 : 0;  // »
        case '\xE2': {
            std::string_view const three = text.substr(at, 3);
            return three == "\xE2\x80\x9D" || three == "\xE2\x80\x99" ? 3 : 0;  // ” ’
        }
        case '\xE3': {
            std::string_view const three = text.substr(at, 3);
            return three == "\xE3\x80\x8D" || three == "\xE3\x80\x8F" ? 3 : 0;  // 」 』
        }
        default: return 0;
    }
}

/// The bytes of the white space at a place; 0 for anything else.
std::size_t space_at(std::string_view text, std::size_t at) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
        return (text[at] >= 9 && text[at] <= 13) || (text[at] >= 28 && text[at] <= 32) ? 1 : 0;
    }
    decoded const one = decode(text, at);
    return is_a(one.point, is_space) ? one.size : 0;
}

/// A word of at most seven bytes as a number.
constexpr std::uint64_t packed(std::string_view word) {
    std::uint64_t number = 0;
    for (char const byte : word) {
        number = number << 8 | static_cast<unsigned char>(byte);
    }
    return number;
}

/// The abbreviations in a hash table with open addressing.
class abbreviation_table {
public:
    constexpr abbreviation_table() {
        for (std::string_view const one : abbreviations) {
            std::uint64_t const number = packed(one);
            std::size_t at = place_of(number);
            while (slots_[at] != 0) {
                at = (at + 1) % slots;
            }
            slots_[at] = number;
        }
    }
    constexpr bool has(std::uint64_t number) const {
        for (std::size_t at = place_of(number); slots_[at] != 0; at = (at + 1) % slots) {
            if (slots_[at] == number) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr std::size_t slots = 256;
    static_assert(std::size(abbreviations) < slots / 2);
    static constexpr std::size_t place_of(std::uint64_t number) {
        return std::size_t(number * 0x9E3779B97F4A7C15u >> 56);
    }
    std::uint64_t slots_[slots] = {};
};

bool is_abbreviation(std::uint64_t word) {
    static constexpr abbreviation_table table;
    return table.has(word);
}

/// Whether the single full stop at `stop` belongs to an abbreviation or an initial, from the letters and stops before
/// it.
bool belongs_to_word(std::string_view text, std::size_t begin, std::size_t stop) {
    constexpr std::size_t longest = 8;
    std::size_t first = stop;
    while (first > begin && stop - first < longest) {
        char const byte = text[first - 1];
        bool const letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (!letter && byte != '.') {
            break;
        }
        --first;
    }
    std::size_t const size = stop - first;
    if (size == 0 || size == longest) {
        return false;
    }
    if (first > begin &&
        (static_cast<unsigned char>(text[first - 1]) >= 0x80 || is_a(char32_t(text[first - 1]), is_word))) {
        return false;
    }
    char const last = text[stop - 1];
    if (last >= 'A' && last <= 'Z' && (size == 1 || text[stop - 2] == '.')) {
        return true;
    }
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < size; ++k) {
        char const byte = text[first + k];
        word = word << 8 | static_cast<unsigned char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
    }
    return is_abbreviation(word);
}

void add_trimmed(std::string_view text, std::size_t begin, std::size_t end, std::vector<place>& out) {
    while (begin < end) {
        std::size_t const size = space_at(text, begin);
        if (size == 0) {
            break;
        }
        begin += size;
    }
    while (end > begin) {
        if (static_cast<unsigned char>(text[end - 1]) < 0x80) {
            if (space_at(text, end - 1) == 0) {
                break;
            }
            --end;
            continue;
        }
        decoded const one = decode_before(text, end);
        if (!is_a(one.point, is_space)) {
            break;
        }
        end -= one.size;
    }
    if (begin < end) {
        out.push_back({std::uint32_t(begin), std::uint32_t(end)});
    }
}

/// Finds the bytes that may begin a mark, block by block.
class candidates {
public:
    explicit candidates(std::string_view text) : text_(text) {}

    /// The next such byte from `at` on, or the text's end. `at` never decreases.
    std::size_t next(std::size_t at) {
        while (at < text_.size()) {
            if (at >= begin_ + block_bytes || !known_) {
                begin_ = at / block_bytes * block_bytes;
                known_ = true;
                std::size_t const size = text_.size() - begin_;
                if (size >= block_bytes) {
                    mask_ = mask_of(text_.data() + begin_, may_begin);
                } else {
                    char padded[block_bytes] = {};
                    std::memcpy(padded, text_.data() + begin_, size);
                    mask_ = mask_of(padded, may_begin);
                }
            }
            std::uint64_t const left = mask_ >> (at - begin_);
            if (left != 0) {
                return at + std::size_t(std::countr_zero(left));
            }
            at = begin_ + block_bytes;
        }
        return text_.size();
    }

private:
    static bytes16 may_begin(bytes16 value) {
        return same(value, '.') | same(value, '!') | same(value, '?') | same(value, '\xE2') | same(value, '\xE3') |
               same(value, '\xEF');
    }
    std::string_view text_;
    std::size_t begin_ = 0;
    std::uint64_t mask_ = 0;
    bool known_ = false;
};

void split_plain(std::string_view text, std::vector<place>& out) {
    std::size_t begin = 0;
    candidates marks(text);
    for (std::size_t at = marks.next(0); at < text.size(); at = marks.next(at)) {
        std::size_t size = 0;
        mark const first = mark_at(text, at, size);
        if (first == mark::none) {
            ++at;
            continue;
        }
        std::size_t const stop = at;
        bool wide = false;
        for (mark one = first; one != mark::none;) {
            wide = one == mark::wide;
            at += size;
            one = at < text.size() ? mark_at(text, at, size) : mark::none;
        }
        bool const single = at == stop + 1 && text[stop] == '.';
        for (std::size_t close = 0; at < text.size() && (close = closer_at(text, at)) > 0;) {
            at += close;
        }
        bool const ends = at == text.size() || wide || space_at(text, at) > 0;
        if (ends && !(single && at < text.size() && belongs_to_word(text, begin, stop))) {
            add_trimmed(text, begin, at, out);
            begin = at;
        }
    }
    add_trimmed(text, begin, text.size(), out);
}

void split_by_expression(std::string_view text, std::vector<place>& out) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        bool const stop = text[at] == '.' || text[at] == '!' || text[at] == '?';
        if (stop && at + 1 < text.size() && space_at(text, at + 1) > 0) {
            add_trimmed(text, begin, at + 1, out);
            begin = at + 1;
        }
    }
    add_trimmed(text, begin, text.size(), out);
}

}  // namespace

void split_sentences(std::string_view text, sentence_rule rule, std::vector<place>& out) {
    out.clear();
    if (rule == sentence_rule::plain) {
        split_plain(text, out);
    } else {
        split_by_expression(text, out);
    }
}

}  // namespace optgap::rubrics
