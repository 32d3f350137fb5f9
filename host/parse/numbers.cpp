#include "host/parse/numbers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "host/parse/lexemes.hpp"
#include "optgap/answer.hpp"

namespace optgap::text {
namespace {

constexpr std::size_t max_value_digits = 10;

/// Separators of groups of three digits. The last three are U+00A0, U+2009 and U+202F.
constexpr std::array<std::string_view, 6> group_marks{",", "{,}", " ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF"};
/// The longest comes first.
constexpr std::array<std::string_view, 3> rest_words{"remainder", "rem", "r"};

class number_reader {
public:
    number_reader(std::string_view text, bare_number rule, std::vector<std::int32_t>& words)
        : left_(text), rule_(rule), words_(words), base_(words.size()) {
        words_.push_back(answer_flat);
    }

    std::int32_t read() {
        std::int32_t code = rule_ == bare_number::single ? read_value() : read_row();
        while (code == code_ok && !left_.empty()) {
            code = rule_ == bare_number::digit_rows && drop_separator() ? read_row() : code_unparsable;
        }
        if (code != code_ok) {
            words_.resize(base_);
        } else if (rule_ == bare_number::digit_rows) {
            words_[base_] = std::int32_t(lengths_.size());
            words_.insert(words_.begin() + std::ptrdiff_t(base_) + 1, lengths_.begin(), lengths_.end());
        }
        return code;
    }

private:
    [[nodiscard]] bool digit_at(std::size_t i) const { return i < left_.size() && is_digit(left_[i]); }
    [[nodiscard]] bool is_group_at(std::size_t i) const {
        return digit_at(i) && digit_at(i + 1) && digit_at(i + 2) && !digit_at(i + 3);
    }

    /// Calls put(digit) for each digit of a number; it returns whether another may follow. Returns code_ok after all of
    /// them.
    template <class Put>
    std::int32_t read_digits(Put const& put) {
        std::size_t size = 0;
        bool const zero = digit_at(0) && left_[0] == '0';
        auto const take = [&](std::size_t most) {
            for (; most > 0 && digit_at(0); --most, ++size) {
                if (size == 1 && zero) {
                    return code_not_integer;
                }
                if (!put(left_[0] - '0')) {
                    return code_overflow;
                }
                left_.remove_prefix(1);
            }
            return code_ok;
        };
        if (!digit_at(0)) {
            return code_unparsable;
        }
        std::int32_t code = take(left_.size());
        for (std::size_t mark = 0; mark < group_marks.size() && size <= 3 && code == code_ok; ++mark) {
            std::string_view const own = group_marks[mark];
            while (code == code_ok && left_.starts_with(own) && is_group_at(own.size())) {
                left_.remove_prefix(own.size());
                code = take(3);
            }
        }
        return code == code_ok && left_.starts_with('.') ? code_not_integer : code;
    }

    std::int32_t read_row() {
        std::size_t const before = words_.size();
        std::int32_t const code = read_digits([&](std::int32_t digit) {
            words_.push_back(digit);
            return true;
        });
        if (rule_ == bare_number::digit_rows) {
            lengths_.push_back(std::int32_t(words_.size() - before));
        }
        return code;
    }

    std::int32_t read_value() {
        bool const negative = left_.starts_with('-');
        left_.remove_prefix(negative ? 1 : 0);
        std::size_t size = 0;
        std::int64_t value = 0;
        std::int32_t const code = read_digits([&](std::int32_t digit) {
            value = value * 10 + digit;
            return ++size <= max_value_digits;
        });
        if (code != code_ok) {
            return code;
        }
        if (value > std::int64_t(std::numeric_limits<std::int32_t>::max()) + (negative ? 1 : 0)) {
            return code_overflow;
        }
        words_.push_back(std::int32_t(negative ? -value : value));
        return code_ok;
    }

    /// Returns true when it skipped any, or with `lines` a line's end.
    bool skip_white(bool lines = false) {
        std::size_t size = 0;
        bool found = false;
        for (; size < left_.size() && is_white(left_[size]); ++size) {
            found |= !lines || left_[size] == '\n' || left_[size] == '\r';
        }
        left_.remove_prefix(size);
        return found;
    }

    /// Drops the separator between two numbers.
    bool drop_separator() {
        bool apart = skip_white(true);
        if (left_.starts_with(';') || left_.starts_with(',')) {
            bool const semicolon = left_[0] == ';';
            left_.remove_prefix(1);
            apart |= skip_white() || semicolon;
        }
        for (std::string_view const word : rest_words) {
            if (std::ranges::equal(left_.substr(0, word.size()), word, {}, lower)) {
                left_.remove_prefix(word.size());
                skip_white();
                left_.remove_prefix(left_.starts_with(':') || left_.starts_with('=') ? 1 : 0);
                skip_white();
                return true;
            }
        }
        return apart;
    }

    std::string_view left_;
    bare_number rule_;
    std::vector<std::int32_t>& words_;
    std::size_t base_;
    std::vector<std::int32_t> lengths_;
};

}  // namespace

std::int32_t read_numbers(std::string_view text, bare_number rule, std::vector<std::int32_t>& words) {
    return number_reader(text, rule, words).read();
}

}  // namespace optgap::text
