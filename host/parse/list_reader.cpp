#include "host/parse/list_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "host/parse/lexemes.hpp"
#include "kernels/core/words.hpp"
#include "optgap/verdict.hpp"

namespace optgap::text {
namespace {

constexpr std::ptrdiff_t digits_limit = 10;

constexpr bool is_bracket(char c) { return is_open(c) || c == ']' || c == ')'; }
constexpr char closing(char open) { return open == '[' ? ']' : ')'; }

/// Reads the digits at the front of eight bytes, all at once. size is 0 when there are none or eight.
struct short_number {
    std::size_t size = 0;
    std::int32_t value = 0;
    bool leading_zero = false;
};

inline short_number read_short_number(char const* eight_bytes) {
    if constexpr (std::endian::native != std::endian::little) {
        return {};
    }
    std::uint64_t word = 0;
    std::memcpy(&word, eight_bytes, sizeof(word));
    std::uint64_t const digits = word ^ 0x3030303030303030;
    // The high bit of every byte above 9. A carry spoils only bytes after the first such byte.
    std::uint64_t const others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
    int const bits = std::countr_zero(others) & ~7;
    if (bits == 0 || bits == 64) {
        return {};
    }
    // Moves the digits to the back of the word after zeros. Multiplication then joins pairs, fours and eights.
    std::uint64_t number = digits << (64 - bits);
    number = (number * (10 * 0x100 + 1)) >> 8 & 0x00FF00FF00FF00FF;
    number = (number * (100 * 0x10000 + 1)) >> 16 & 0x0000FFFF0000FFFF;
    number = (number * (10'000 * 0x1'0000'0000 + 1)) >> 32;
    return {std::size_t(bits / 8), std::int32_t(number), (digits & 0xFF) == 0 && bits > 8};
}

}  // namespace

list_reader::list_reader(std::string_view text, std::vector<std::int32_t>& words)
    : at_(text.data()), end_(text.data() + text.size()), words_(words), base_(words.size()) {
    // Each value takes at least two bytes. For long texts memory grows step by step, so that a malformed one costs
    // none.
    words_.resize(base_ + 1 + std::min<std::size_t>(text.size() / 2 + 1, 4096));
    words_[base_] = answer_flat;
    out_ = words_.data() + base_ + 1;
    out_end_ = words_.data() + words_.size();
}

void list_reader::grow() {
    std::size_t const used = words_.size();
    words_.resize(used + std::max<std::size_t>(4096, (used - base_) / 2));
    out_ = words_.data() + used;
    out_end_ = words_.data() + words_.size();
}

inline void list_reader::put(std::int32_t value) {
    if (out_ == out_end_) {
        grow();
    }
    *out_++ = value;
}

std::int64_t list_reader::count() const { return out_ - (words_.data() + base_ + 1); }

std::int32_t list_reader::outside(std::int32_t code) {
    broke_outside_ = true;
    return code;
}

/// Returns true when it skipped a line break.
inline bool list_reader::skip_white() {
    bool line_break = false;
    while (at_ != end_ && is_white(*at_)) {
        line_break |= *at_ == '\n' || *at_ == '\r';
        ++at_;
    }
    return line_break;
}

std::int32_t list_reader::read() {
    std::int32_t const code = read_value();
    if (code != code_ok) {
        where_ = broke_outside_ ? -1 : std::int32_t(count());
        words_.resize(base_);
        return code;
    }
    words_.resize(base_ + 1 + std::size_t(count()));
    if (is_rows_) {
        words_[base_] = std::int32_t(lengths_.size());
        words_.insert(words_.begin() + std::ptrdiff_t(base_) + 1, lengths_.begin(), lengths_.end());
    }
    return code_ok;
}

std::int32_t list_reader::read_value() {
    char const close = closing(*at_++);
    skip_white();
    if (at_ != end_ && is_open(*at_)) {
        std::int32_t const code = read_rows(close);
        return code == code_ok ? after_outer_list() : code;
    }
    std::int32_t const code = read_row(close);
    return code == code_ok ? read_more_rows() : code;
}

/// Reads the common case of a row: numbers of at most seven digits, all with or all without a blank after the comma.
/// Returns true at the row's end; else it stops before an item that needs the careful path. The next item's place
/// depends on this one's length alone, not on the bytes between them, which are a predicted branch.
inline bool list_reader::skim(char close) {
    char const* at = at_;
    std::int32_t* out = out_;
    std::size_t gap = 0;
    bool closed = false;
    while (end_ - at > 8 && out != out_end_) {
        short_number const number = read_short_number(at);
        char const* const behind = at + number.size;
        if (number.size == 0 || number.leading_zero) {
            break;
        }
        if (*behind != ',') {
            closed = *behind == close;
            if (closed) {
                *out++ = number.value;
                at = behind + 1;
            }
            break;
        }
        if (gap == 0) {
            gap = behind[1] == ' ' ? 2 : 1;
        } else if (gap == 2 && behind[1] != ' ') {
            break;
        }
        *out++ = number.value;
        at = behind + gap;
    }
    at_ = at;
    out_ = out;
    return closed;
}

/// Reads integers up to the closing bracket. The opening one was read already.
std::int32_t list_reader::read_row(char close) {
    for (;;) {
        if (skim(close)) {
            return code_ok;
        }
        skip_white();
        if (at_ == end_) {
            return code_unparsable;
        }
        if (!is_digit(*at_) && *at_ != '-') {
            if (*at_ == close) {
                ++at_;
                return code_ok;
            }
            if (is_open(*at_)) {
                return code_bad_depth;
            }
            return is_bracket(*at_) || *at_ == ',' ? code_unparsable : code_not_integer;
        }
        if (std::int32_t const code = read_integer(); code != code_ok) {
            return code;
        }
        skip_white();
        if (at_ == end_) {
            return code_unparsable;
        }
        char const next = *at_++;
        if (next != ',') {
            return next == close ? code_ok : is_bracket(next) ? code_unparsable : code_not_integer;
        }
    }
}

/// Stops at the first decisive byte, so a megabyte of digits costs eleven.
inline std::int32_t list_reader::read_integer() {
    bool const negative = *at_ == '-';
    char const* const first = at_ + (negative ? 1 : 0);
    if (first == end_) {
        return code_unparsable;
    }
    char const* at = first;
    std::int64_t magnitude = 0;
    for (; at != end_ && is_digit(*at); ++at) {
        if (at - first == digits_limit) {
            return code_overflow;
        }
        if (at != first && *first == '0') {
            return code_not_integer;
        }
        magnitude = magnitude * 10 + (*at - '0');
    }
    if (at == first) {
        return code_not_integer;
    }
    at_ = at;
    if (magnitude > std::int64_t(std::numeric_limits<std::int32_t>::max()) + (negative ? 1 : 0)) {
        return code_overflow;
    }
    put(std::int32_t(negative ? -magnitude : magnitude));
    return code_ok;
}

/// Reads lists up to the outer list's closing bracket; `at_` is at the first one.
std::int32_t list_reader::read_rows(char close) {
    is_rows_ = true;
    for (;;) {
        skip_white();
        if (at_ == end_) {
            return code_unparsable;
        }
        char const first = *at_;
        if (!is_open(first)) {
            if (first == close) {
                ++at_;
                return code_ok;
            }
            bool const number = is_digit(first) || first == '-';
            return number ? code_bad_depth : is_bracket(first) || first == ',' ? code_unparsable : code_not_integer;
        }
        ++at_;
        std::int64_t const before = count();
        if (std::int32_t const code = read_row(closing(first)); code != code_ok) {
            return code;
        }
        lengths_.push_back(std::int32_t(count() - before));
        skip_white();
        if (at_ == end_) {
            return code_unparsable;
        }
        char const next = *at_++;
        if (next != ',') {
            return next == close ? code_ok : code_unparsable;
        }
    }
}

/// Returns the code of what follows an outer list. A second list beside a list of lists makes three levels.
std::int32_t list_reader::after_outer_list() {
    bool separated = skip_white();
    if (at_ == end_) {
        return code_ok;
    }
    if (*at_ == ',') {
        ++at_;
        skip_white();
        separated = true;
    }
    return separated && at_ != end_ && is_open(*at_) ? code_bad_depth : outside(code_unparsable);
}

/// Reads what follows a flat list: the end, or more rows, each after a line break or a comma. One list and a comma stay
/// unparsable, since the list or a list of it could be meant.
std::int32_t list_reader::read_more_rows() {
    lengths_.clear();
    std::int64_t const first_length = count();
    for (;;) {
        bool separated = skip_white();
        if (at_ == end_) {
            return code_ok;
        }
        if (*at_ == ',') {
            ++at_;
            skip_white();
            separated = true;
            if (at_ == end_) {
                return is_rows_ ? code_ok : outside(code_unparsable);
            }
        }
        if (!separated || !is_open(*at_)) {
            return outside(code_unparsable);
        }
        if (!is_rows_) {
            is_rows_ = true;
            lengths_.push_back(std::int32_t(first_length));
        }
        std::int64_t const before = count();
        if (std::int32_t const code = read_row(closing(*at_++)); code != code_ok) {
            return code;
        }
        lengths_.push_back(std::int32_t(count() - before));
    }
}

}  // namespace optgap::text
