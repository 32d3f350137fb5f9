// The structural pass. It turns 64 bytes at a time into a mask for each class. Places where a mask changes are ends of
// words, pieces and lines. ASCII is classified by vector instructions, other code points one by one into the same
// masks.

#include "host/rubric/text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "host/rubric/bytes.hpp"
#include "host/rubric/words/boundaries.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

namespace {

struct class_masks {
    std::uint64_t word = 0;
    std::uint64_t space = 0;
    std::uint64_t digit = 0;
    std::uint64_t newline = 0;
};

/// Counts of ASCII bytes in sixteen lanes. A byte of a class gives 255, which is subtracted as -1.
class ascii_counts {
public:
    bytes16 upper = {}, lower = {}, digit = {}, space = {}, punctuation = {};

    void block_done(text_counts& counts) {
        // A block is four vectors, so each lane stays below 256.
        if (++blocks_ == 63) {
            flush(counts);
        }
    }
    void flush(text_counts& counts) {
        std::int64_t const uppers = sum(upper);
        std::int64_t const lowers = sum(lower);
        counts.upper += uppers;
        counts.lower += lowers;
        counts.letters += uppers + lowers;
        counts.script_letters[std::size_t(script::latin)] += uppers + lowers;
        counts.digits += sum(digit);
        counts.spaces += sum(space);
        counts.punctuation += sum(punctuation);
        blocks_ = 0;
    }

private:
    static std::int64_t sum(bytes16& from) {
        std::int64_t all = 0;
        for (int k = 0; k < 16; ++k) {
            all += from[k];
        }
        from = bytes16{};
        return all;
    }
    int blocks_ = 0;
};

class_masks ascii_masks(char const* bytes, ascii_counts& counts) {
    class_masks masks;
    for (std::size_t k = 0; k < block_bytes; k += 16) {
        bytes16 const value = load16(bytes + k);
        bytes16 const upper = within(value, 'A', 'Z');
        bytes16 const lower = within(value, 'a', 'z');
        bytes16 const digit = within(value, '0', '9');
        bytes16 const letters_and_digits = upper | lower | digit;
        bytes16 const space = within(value, 9, 13) | within(value, 28, 32);
        masks.word |= movemask(letters_and_digits | same(value, '_')) << k;
        masks.space |= movemask(space) << k;
        masks.digit |= movemask(digit) << k;
        masks.newline |= movemask(same(value, '\n')) << k;
        counts.upper -= upper;
        counts.lower -= lower;
        counts.digit -= digit;
        counts.space -= space;
        counts.punctuation -= within(value, 33, 126) & ~letters_and_digits;
    }
    return masks;
}

std::uint64_t beyond_ascii(char const* block) {
    return mask_of(block, [](bytes16 value) { return value; });
}

/// The state that is carried from block to block.
struct scan_state {
    std::size_t covered = 0;     ///< bytes of the next block that belong to a code point of this one
    std::uint16_t covering = 0;  ///< that code point's classes
    bool joins_marks = false;
    bool in_word = false;  ///< the previous block ends in a word
    ascii_counts ascii;
};

inline void set_classes(class_masks& masks, std::uint64_t bits, std::uint16_t classes) {
    masks.word |= (classes & is_word) != 0 ? bits : 0;
    masks.space |= (classes & is_space) != 0 ? bits : 0;
    masks.digit |= (classes & is_digit) != 0 ? bits : 0;
}

/// Counts one code point beyond ASCII. Broken bytes count as none of these.
void count_point(std::string_view text, std::size_t at, decoded one, point_properties const& is, text_counts& counts) {
    counts.letters += (is.classes & is_letter) != 0;
    counts.upper += (is.classes & is_upper) != 0;
    counts.lower += (is.classes & is_lower) != 0;
    counts.digits += (is.classes & is_digit) != 0;
    counts.spaces += (is.classes & is_space) != 0;
    counts.punctuation += (is.classes & is_punctuation) != 0;
    counts.hidden += (is.classes & is_format) != 0;
    counts.emoji += (is.classes & is_emoji) != 0;
    if (one.point == 0xFE0F && at > 0) {
        std::uint16_t const before = properties_of(decode_before(text, at).point).classes;
        counts.emoji += (before & may_be_emoji) != 0 && (before & is_emoji) == 0;
    }
    counts.unblanked += is_unblanked(one.point, is);
    counts.joiners += is_joiner(one.point, is);
    counts.cjk += is.of == script::han || is.of == script::hiragana || is.of == script::katakana;
    if ((is.classes & is_letter) != 0) {
        ++counts.script_letters[std::size_t(is.of)];
    }
}

/// The masks of `size` bytes at `begin`, which contain bytes beyond ASCII or are less than a block.
class_masks mixed_masks(std::string_view text, std::size_t begin, std::size_t size, scan_state& state,
                        text_counts& counts) {
    char padded[block_bytes] = {};
    std::memcpy(padded, text.data() + begin, size);
    class_masks masks = ascii_masks(padded, state.ascii);
    std::size_t starts = size;
    std::uint64_t left = beyond_ascii(padded);
    if (state.covered > 0) {
        std::size_t const here = std::min(state.covered, size);
        set_classes(masks, low_bits(here), state.covering);
        starts -= here;
        left &= ~low_bits(here);
        state.covered -= here;
    }
    while (left != 0) {
        auto const at = std::size_t(std::countr_zero(left));
        decoded const one = decode(text, begin + at);
        point_properties is = one.broken ? point_properties{} : properties_of(one.point);
        bool const behind_word = at == 0 ? state.in_word : (masks.word >> (at - 1) & 1) != 0;
        if (state.joins_marks && behind_word && is_joiner(one.point, is)) {
            is.classes |= is_word;
        }
        count_point(text, begin + at, one, is, counts);
        counts.broken += one.broken;
        std::size_t const here = std::min<std::size_t>(one.size, size - at);
        std::uint64_t const bits = low_bits(here) << at;
        set_classes(masks, bits, is.classes);
        starts -= here - 1;
        left &= ~bits;
        if (here < one.size) {
            state.covered = one.size - here;
            state.covering = is.classes;
        }
    }
    counts.characters += std::int64_t(starts);
    return masks;
}

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

std::int64_t longest_of(text_pass const& pass, std::vector<place> const& places) {
    bool const all_ascii = pass.counts.characters == pass.counts.bytes;
    std::int64_t longest = 0;
    for (place const& one : places) {
        if (one.size() > longest) {
            longest = std::max(longest, points_in(pass.text, one, all_ascii));
        }
    }
    return longest;
}

/// The first set bit from `at` on, or `end`.
std::size_t next_bit(std::vector<std::uint64_t> const& bits, std::size_t at, std::size_t end) {
    while (at < end) {
        std::uint64_t const block = bits[at / 64] >> (at % 64);
        if (block != 0) {
            return std::min(end, at + std::size_t(std::countr_zero(block)));
        }
        at = (at / 64 + 1) * 64;
    }
    return end;
}
/// The place after the last set bit of [begin, end), or `begin`.
std::size_t behind_last_bit(std::vector<std::uint64_t> const& bits, std::size_t begin, std::size_t end) {
    while (end > begin) {
        std::size_t const first = (end - 1) / 64 * 64;
        std::uint64_t const block = bits[first / 64] & low_bits(end - first);
        if (block != 0) {
            return std::max(begin, first + 64 - std::size_t(std::countl_zero(block)));
        }
        end = first;
    }
    return begin;
}

}  // namespace

bool text_pass::is_stale(list& one) const {
    bool const stale = one.made != serial;
    one.made = serial;
    return stale;
}

/// Pairs the n-th begin with the n-th end, since begins and ends alternate.
void text_pass::runs_of(std::vector<std::uint64_t> const& bits, std::int64_t count, list& out) const {
    out.places.resize(std::size_t(count));
    place* next_begin = out.places.data();
    place* next_end = out.places.data();
    std::uint64_t carry = 0;
    for (std::size_t b = 0; b < bits.size(); ++b) {
        std::uint64_t const mask = bits[b];
        std::uint64_t const before = mask << 1 | carry;
        carry = mask >> 63;
        auto const base = std::uint32_t(b * 64);
        for (std::uint64_t begins = mask & ~before; begins != 0; begins &= begins - 1) {
            (next_begin++)->begin = base + std::uint32_t(std::countr_zero(begins));
        }
        for (std::uint64_t ends = ~mask & before; ends != 0; ends &= ends - 1) {
            (next_end++)->end = base + std::uint32_t(std::countr_zero(ends));
        }
    }
}

std::vector<place> const& text_pass::words() const {
    if (is_stale(words_)) {
        runs_of(word_bits_, counts.words, words_);
    }
    return words_.places;
}

std::vector<place> const& text_pass::pieces() const {
    if (is_stale(pieces_)) {
        runs_of(piece_bits_, counts.pieces, pieces_);
    }
    return pieces_.places;
}

std::vector<place> const& text_pass::lines() const {
    if (is_stale(lines_)) {
        lines_.places.clear();
        std::uint32_t begin = 0;
        for (std::size_t b = 0; b < break_bits_.size(); ++b) {
            for (std::uint64_t ends = break_bits_[b]; ends != 0; ends &= ends - 1) {
                auto const end = std::uint32_t(b * 64 + std::size_t(std::countr_zero(ends)));
                lines_.places.push_back({begin, end});
                begin = end + 1;
            }
        }
        lines_.places.push_back({begin, std::uint32_t(text.size())});
    }
    return lines_.places;
}

/// Finds the lines that are not blank, and the paragraphs between blank lines. The lines' places are known already.
void text_pass::find_paragraphs() const {
    if (!is_stale(paragraphs_)) {
        return;
    }
    paragraphs_.places.clear();
    nonempty_lines_ = 0;
    bool open = false;
    for (place const& line : lines()) {
        std::size_t const first = next_bit(piece_bits_, line.begin, line.end);
        if (first == line.end) {
            open = false;
            continue;
        }
        ++nonempty_lines_;
        auto const end = std::uint32_t(behind_last_bit(piece_bits_, first, line.end));
        if (open) {
            paragraphs_.places.back().end = end;
        } else {
            paragraphs_.places.push_back({std::uint32_t(first), end});
        }
        open = true;
    }
}

std::vector<place> const& text_pass::paragraphs() const {
    find_paragraphs();
    return paragraphs_.places;
}
std::int64_t text_pass::nonempty_lines() const {
    find_paragraphs();
    return nonempty_lines_;
}

std::vector<place> const& text_pass::sentences() const {
    if (is_stale(sentences_)) {
        split_sentences(text, rule_, sentences_.places);
    }
    return sentences_.places;
}

std::int64_t text_pass::longest_line() const { return longest_of(*this, lines()); }
std::int64_t text_pass::longest_word() const { return longest_of(*this, words()); }

void scan(std::string_view text, sentence_rule sentences, text_pass& out, bool joins_marks) {
    if (text.size() > longest_text) {
        misuse("text: " + std::to_string(text.size()) + " bytes; a text has at most " + std::to_string(longest_text));
    }
    out.text = text;
    out.rule_ = sentences;
    out.joins_marks = joins_marks;
    ++out.serial;
    out.counts = {};
    text_counts& counts = out.counts;
    std::size_t const blocks = text.size() / block_bytes + 1;
    for (std::vector<std::uint64_t>* const bits : {&out.word_bits_, &out.piece_bits_, &out.break_bits_}) {
        bits->resize(blocks);
        bits->back() = 0;
    }
    scan_state state;
    state.joins_marks = joins_marks;
    std::uint64_t in_word = 0, in_piece = 0, in_number = 0;
    bool ascii = true;
    for (std::size_t b = 0; b * block_bytes < text.size(); ++b) {
        std::size_t const begin = b * block_bytes;
        std::size_t const size = std::min(block_bytes, text.size() - begin);
        bool const plain = size == block_bytes && state.covered == 0 && beyond_ascii(text.data() + begin) == 0;
        class_masks masks;
        if (plain) {
            masks = ascii_masks(text.data() + begin, state.ascii);
            counts.characters += block_bytes;
        } else {
            masks = mixed_masks(text, begin, size, state, counts);
            ascii = ascii && (size < block_bytes ? is_ascii_text(text.substr(begin)) : false);
        }
        state.ascii.block_done(counts);
        std::uint64_t const piece = ~masks.space & low_bits(size);
        counts.words += std::popcount(masks.word & ~(masks.word << 1 | in_word));
        counts.pieces += std::popcount(piece & ~(piece << 1 | in_piece));
        counts.numbers += std::popcount(masks.digit & ~(masks.digit << 1 | in_number));
        in_word = masks.word >> 63;
        state.in_word = in_word != 0;
        in_piece = piece >> 63;
        in_number = masks.digit >> 63;
        out.word_bits_[b] = masks.word;
        out.piece_bits_[b] = piece;
        out.break_bits_[b] = masks.newline;
    }
    state.ascii.flush(counts);
    out.ascii = ascii;
    counts.bytes = std::int64_t(text.size());
}

}  // namespace optgap::rubrics
