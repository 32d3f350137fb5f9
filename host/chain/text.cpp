// The structural pass: 64 bytes at a time become a mask for each class, and the places where a mask changes are ends of
// words, pieces and lines. ASCII is classified by vector instructions, other code points one by one into the same
// masks.

#include "host/chain/text.hpp"

#include <bit>
#include <cstring>

#include "optgap/status.hpp"

namespace optgap::chain {

namespace {

constexpr std::size_t block = 64;

struct class_masks {
    std::uint64_t word = 0;
    std::uint64_t space = 0;
    std::uint64_t digit = 0;
    std::uint64_t upper = 0;
    std::uint64_t lower = 0;
    std::uint64_t punctuation = 0;
    std::uint64_t newline = 0;
    std::uint64_t starts = 0;  ///< first bytes of code points
};

enum ascii_bit : std::uint8_t { bit_space = 1, bit_digit = 2, bit_upper = 4, bit_lower = 8, bit_punctuation = 16 };

/// Sixteen bytes against low <= byte <= high, as vectors of GCC and clang: all bits set where it holds.
using bytes16 = unsigned char __attribute__((vector_size(16)));

inline std::uint64_t movemask(bytes16 value) {
#if defined(__SSE2__)
    using chars16 = char __attribute__((vector_size(16)));
    return std::uint64_t(std::uint32_t(__builtin_ia32_pmovmskb128(chars16(value))));
#else
    std::uint64_t mask = 0;
    for (int k = 0; k < 16; ++k) {
        mask |= std::uint64_t(value[k] >> 7) << k;
    }
    return mask;
#endif
}

inline bytes16 within(bytes16 value, unsigned char low, unsigned char high) {
    return bytes16((value - low) <= static_cast<unsigned char>(high - low));
}

class_masks ascii_masks(char const* bytes) {
    class_masks masks;
    for (std::size_t k = 0; k < block; k += 16) {
        bytes16 value;
        std::memcpy(&value, bytes + k, sizeof value);
        bytes16 const upper = within(value, 'A', 'Z');
        bytes16 const lower = within(value, 'a', 'z');
        bytes16 const digit = within(value, '0', '9');
        bytes16 const letters_and_digits = upper | lower | digit;
        bytes16 const underscore = bytes16(value == '_');
        bytes16 const space = within(value, 9, 13) | within(value, 28, 32);
        masks.word |= movemask(letters_and_digits | underscore) << k;
        masks.space |= movemask(space) << k;
        masks.digit |= movemask(digit) << k;
        masks.upper |= movemask(upper) << k;
        masks.lower |= movemask(lower) << k;
        masks.punctuation |= movemask(within(value, 33, 126) & ~letters_and_digits) << k;
        masks.newline |= movemask(bytes16(value == '\n')) << k;
    }
    masks.starts = ~std::uint64_t(0);
    return masks;
}

bool is_ascii(char const* bytes) {
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < block; k += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + k, sizeof eight);
        all |= eight;
    }
    return (all & 0x8080808080808080u) == 0;
}

/// What goes from block to block.
struct scan_state {
    std::size_t covered = 0;     ///< bytes of the next block that a code point of this one holds
    std::uint16_t covering = 0;  ///< and its classes
    char32_t previous = 0;       ///< the code point before, for U+FE0F
    bool in_word = false;
    bool in_piece = false;
    bool in_number = false;
};

inline void set_classes(class_masks& masks, std::uint64_t bits, std::uint16_t classes) {
    masks.word |= (classes & is_word) != 0 ? bits : 0;
    masks.space |= (classes & is_space) != 0 ? bits : 0;
    masks.digit |= (classes & is_digit) != 0 ? bits : 0;
}

/// Counts of one code point beyond ASCII; broken bytes have none of these.
void count_point(decoded one, point_properties const& is, scan_state const& state, text_counts& counts) {
    counts.letters += (is.classes & is_letter) != 0;
    counts.upper += (is.classes & is_upper) != 0;
    counts.lower += (is.classes & is_lower) != 0;
    counts.digits += (is.classes & is_digit) != 0;
    counts.spaces += (is.classes & is_space) != 0;
    counts.punctuation += (is.classes & is_punctuation) != 0;
    counts.hidden += (is.classes & is_format) != 0;
    counts.emoji += (is.classes & is_emoji) != 0;
    if (one.point == 0xFE0F && state.previous != 0) {
        std::uint16_t const before = properties_of(state.previous).classes;
        counts.emoji += (before & may_be_emoji) != 0 && (before & is_emoji) == 0;
    }
    counts.cjk += is.of == script::han || is.of == script::hiragana || is.of == script::katakana;
    if ((is.classes & is_letter) != 0) {
        ++counts.script_letters[std::size_t(is.of)];
    }
}

/// The masks of `size` bytes at `begin`, some of which are not ASCII or not there.
class_masks mixed_masks(std::string_view text, std::size_t begin, std::size_t size, scan_state& state,
                        text_counts& counts) {
    char padded[block] = {};
    std::memcpy(padded, text.data() + begin, size);
    class_masks masks = ascii_masks(padded);
    std::uint64_t const there = size == block ? ~std::uint64_t(0) : (std::uint64_t(1) << size) - 1;
    masks.starts = there;
    std::size_t at = state.covered < size ? state.covered : size;
    if (state.covered > 0) {
        std::uint64_t const bits = (std::uint64_t(1) << at) - 1;
        set_classes(masks, bits, state.covering);
        masks.starts &= ~bits;
        state.covered = 0;
    }
    while (at < size) {
        auto const byte = static_cast<unsigned char>(padded[at]);
        if (byte < 0x80) {
            state.previous = byte;
            ++at;
            continue;
        }
        decoded const one = decode(text, begin + at);
        point_properties const is = one.broken ? point_properties{} : properties_of(one.point);
        count_point(one, is, state, counts);
        counts.broken += one.broken;
        std::size_t const here = at + one.size <= size ? one.size : size - at;
        std::uint64_t const bits = ((std::uint64_t(1) << here) - 1) << at;
        set_classes(masks, bits, is.classes);
        masks.starts &= ~bits | std::uint64_t(1) << at;
        if (here < one.size) {
            state.covered = one.size - here;
            state.covering = is.classes;
        }
        state.previous = one.point;
        at += one.size;
    }
    return masks;
}

/// Calls run(place) at each change of a mask.
template <class Run>
inline void each_change(std::uint64_t mask, bool& inside, std::size_t base, Run&& run) {
    std::uint64_t changes = mask ^ (mask << 1 | std::uint64_t(inside));
    while (changes != 0) {
        run(std::uint32_t(base + std::size_t(std::countr_zero(changes))));
        changes &= changes - 1;
    }
    inside = mask >> 63 != 0;
}

/// Places that begin at even calls and end at odd ones. Grows ahead, so that a call is a store.
class place_writer {
public:
    explicit place_writer(std::vector<place>& out) : out_(out) {
        if (out_.size() < smallest) {
            out_.resize(smallest);
        }
    }
    void reserve_block() {
        if (count_ + block + 1 > out_.size()) {
            out_.resize(out_.size() * 2);
        }
    }
    void change(std::uint32_t at) {
        if (open_) {
            out_[count_++].end = at;
        } else {
            out_[count_].begin = at;
        }
        open_ = !open_;
    }
    void finish() { out_.resize(count_); }

private:
    static constexpr std::size_t smallest = 1024;

    std::vector<place>& out_;
    std::size_t count_ = 0;
    bool open_ = false;
};

std::int64_t points_in(std::string_view text, place where, bool all_ascii) {
    if (all_ascii) {
        return where.size();
    }
    std::int64_t count = 0;
    for (std::size_t at = where.begin; at < where.end; at += decode(text, at).size) {
        ++count;
    }
    return count;
}

/// Lines have their places; which hold something, and the paragraphs between those that do not.
void find_paragraphs(text_pass& out) {
    std::size_t piece = 0;
    place paragraph;
    bool open = false;
    for (place const& line : out.lines) {
        std::size_t const first = piece;
        while (piece < out.pieces.size() && out.pieces[piece].begin < line.end) {
            ++piece;
        }
        if (first == piece) {
            if (open) {
                out.paragraphs.push_back(paragraph);
            }
            open = false;
            continue;
        }
        ++out.counts.nonempty_lines;
        if (!open) {
            paragraph.begin = out.pieces[first].begin;
        }
        paragraph.end = out.pieces[piece - 1].end;
        open = true;
    }
    if (open) {
        out.paragraphs.push_back(paragraph);
    }
}

void find_longest(text_pass& out) {
    bool const all_ascii = out.counts.characters == out.counts.bytes;
    for (place const& line : out.lines) {
        if (line.size() > out.counts.longest_line) {
            out.counts.longest_line = std::max(out.counts.longest_line, points_in(out.text, line, all_ascii));
        }
    }
    for (place const& word : out.words) {
        if (word.size() > out.counts.longest_word) {
            out.counts.longest_word = std::max(out.counts.longest_word, points_in(out.text, word, all_ascii));
        }
    }
}

}  // namespace

void scan(std::string_view text, sentence_rule sentences, text_pass& out) {
    if (text.size() > longest_text) {
        misuse("text: " + std::to_string(text.size()) + " bytes; a text has at most " + std::to_string(longest_text));
    }
    out.text = text;
    ++out.serial;
    out.counts = {};
    out.lines.clear();
    out.paragraphs.clear();
    place_writer words(out.words);
    place_writer pieces(out.pieces);
    scan_state state;
    text_counts& counts = out.counts;
    std::int64_t ascii_letters = 0;
    std::int64_t numbers = 0;
    std::uint32_t line = 0;
    for (std::size_t begin = 0; begin < text.size(); begin += block) {
        std::size_t const size = std::min(block, text.size() - begin);
        bool const plain = size == block && state.covered == 0 && is_ascii(text.data() + begin);
        class_masks const masks =
            plain ? ascii_masks(text.data() + begin) : mixed_masks(text, begin, size, state, counts);
        if (plain) {
            state.previous = char32_t(text[begin + block - 1]);
        }
        words.reserve_block();
        pieces.reserve_block();
        each_change(masks.word, state.in_word, begin, [&](std::uint32_t at) { words.change(at); });
        std::uint64_t const there = size == block ? ~std::uint64_t(0) : (std::uint64_t(1) << size) - 1;
        each_change(~masks.space & there, state.in_piece, begin, [&](std::uint32_t at) { pieces.change(at); });
        numbers += std::popcount(masks.digit & ~(masks.digit << 1 | std::uint64_t(state.in_number)));
        state.in_number = masks.digit >> 63 != 0;
        ascii_letters += std::popcount(masks.upper | masks.lower);
        counts.upper += std::popcount(masks.upper);
        counts.lower += std::popcount(masks.lower);
        counts.characters += std::popcount(masks.starts);
        counts.punctuation += std::popcount(masks.punctuation);
        // Digits and spaces beyond ASCII were counted one by one: their bits cover all their bytes.
        std::uint64_t const ascii = plain ? ~std::uint64_t(0) : [&] {
            std::uint64_t mask = 0;
            for (std::size_t k = 0; k < size; ++k) {
                mask |= std::uint64_t(static_cast<unsigned char>(text[begin + k]) < 0x80) << k;
            }
            return mask;
        }();
        counts.digits += std::popcount(masks.digit & ascii);
        counts.spaces += std::popcount(masks.space & ascii);
        for (std::uint64_t ends = masks.newline; ends != 0; ends &= ends - 1) {
            auto const end = std::uint32_t(begin + std::size_t(std::countr_zero(ends)));
            out.lines.push_back({line, end});
            line = end + 1;
        }
    }
    auto const end = std::uint32_t(text.size());
    if (state.in_word) {
        words.change(end);
    }
    if (state.in_piece) {
        pieces.change(end);
    }
    words.finish();
    pieces.finish();
    out.lines.push_back({line, end});
    counts.bytes = std::int64_t(text.size());
    counts.letters += ascii_letters;
    counts.script_letters[std::size_t(script::latin)] += ascii_letters;
    counts.numbers = numbers;
    find_paragraphs(out);
    find_longest(out);
    split_sentences(text, sentences, out.sentences);
}

}  // namespace optgap::chain
