#include "host/parse/equation.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "host/parse/lexemes.hpp"
#include "host/parse/numbers.hpp"
#include "optgap/answer.hpp"

namespace optgap::text {
namespace {

__extension__ using wide = __int128;

struct fraction {
    wide over = 0;
    wide under = 1;
};

bool multiply(wide a, wide b, wide& out) { return !__builtin_mul_overflow(a, b, &out); }

std::optional<fraction> reduced(wide over, wide under) {
    if (under == 0) {
        return std::nullopt;
    }
    wide a = over < 0 ? -over : over;
    wide b = under < 0 ? -under : under;
    while (b != 0) {
        a = std::exchange(b, a % b);
    }
    wide const unit = under < 0 ? -a : a;
    return fraction{over / unit, under / unit};
}

std::optional<fraction> combine(fraction a, fraction b, std::int32_t sign) {
    wide left = 0;
    wide right = 0;
    wide under = 0;
    switch (sign) {
        case sign_plus:
        case sign_minus: {
            wide over = 0;
            bool const fits = multiply(a.over, b.under, left) && multiply(b.over, a.under, right) &&
                              multiply(a.under, b.under, under) &&
                              !(sign == sign_plus ? __builtin_add_overflow(left, right, &over)
                                                  : __builtin_sub_overflow(left, right, &over));
            return fits ? reduced(over, under) : std::nullopt;
        }
        case sign_times:
            return multiply(a.over, b.over, left) && multiply(a.under, b.under, under) ? reduced(left, under)
                                                                                       : std::nullopt;
        default:
            return multiply(a.over, b.under, left) && multiply(a.under, b.over, under) ? reduced(left, under)
                                                                                       : std::nullopt;
    }
}

/// A natural number of any length, in limbs of nine decimal digits, the lowest first, without leading zeros.
using natural = std::vector<std::uint32_t>;
constexpr std::uint64_t limb = 1'000'000'000;

void trim(natural& number) {
    while (!number.empty() && number.back() == 0) {
        number.pop_back();
    }
}
natural natural_of(std::string_view digits) {
    natural made;
    for (std::size_t end = digits.size(); end > 0; end -= std::min<std::size_t>(end, 9)) {
        std::size_t const begin = end - std::min<std::size_t>(end, 9);
        std::uint32_t value = 0;
        for (char const c : digits.substr(begin, end - begin)) {
            value = value * 10 + std::uint32_t(c - '0');
        }
        made.push_back(value);
    }
    trim(made);
    return made;
}
natural sum(natural const& a, natural const& b) {
    natural made;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
        carry += (i < a.size() ? a[i] : 0) + std::uint64_t(i < b.size() ? b[i] : 0);
        made.push_back(std::uint32_t(carry % limb));
        carry /= limb;
    }
    return made;
}
natural product(natural const& a, natural const& b) {
    natural made(a.size() + b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < b.size() || carry > 0; ++j) {
            carry += made[i + j] + (j < b.size() ? std::uint64_t(a[i]) * b[j] : 0);
            made[i + j] = std::uint32_t(carry % limb);
            carry /= limb;
        }
    }
    trim(made);
    return made;
}

constexpr std::size_t max_equation = 2048;

struct sign_spelling {
    std::string_view written;
    char sign;
};
constexpr std::array sign_spellings{sign_spelling{"+", '+'},
                                    sign_spelling{"-", '-'},
                                    sign_spelling{"\xE2\x80\x93", '-'},
                                    sign_spelling{"*", '*'},
                                    sign_spelling{"x", '*'},
                                    sign_spelling{"X", '*'},
                                    sign_spelling{"\xC3\x97", '*'},
                                    sign_spelling{"\xC2\xB7", '*'},
                                    sign_spelling{"\xE2\x8B\x85", '*'},
                                    sign_spelling{"\xE2\x88\x97", '*'},
                                    sign_spelling{"\\times", '*'},
                                    sign_spelling{"\\cdot", '*'},
                                    sign_spelling{"/", '/'},
                                    sign_spelling{"\xC3\xB7", '/'},
                                    sign_spelling{"\\div", '/'}};

/// Takes a sign from the front; returns '\0' where there is none.
char take_sign(std::string_view& text) {
    text = trimmed(text);
    for (sign_spelling const& one : sign_spellings) {
        if (text.starts_with(one.written)) {
            text.remove_prefix(one.written.size());
            return one.sign;
        }
    }
    return '\0';
}

/// Takes a number from the front. Separators may stand between its groups of three digits.
bool take_number(std::string_view& text, natural& value) {
    text = trimmed(text);
    std::size_t size = 0;
    while (size < text.size() && (is_digit(text[size]) || ((text[size] == ',' || text[size] == ' ') &&
                                                           size + 1 < text.size() && is_digit(text[size + 1])))) {
        ++size;
    }
    std::vector<std::int32_t> digits;
    if (read_numbers(text.substr(0, size), bare_number::digits, digits) != code_ok) {
        return false;
    }
    std::string plain;
    for (std::size_t i = 1; i < digits.size(); ++i) {
        plain += char('0' + digits[i]);
    }
    value = natural_of(plain);
    text.remove_prefix(size);
    return true;
}

/// The positive and the negative terms of a sum of products.
struct side {
    natural plus;
    natural minus;
};

bool read_side(std::string_view text, side& made) {
    bool negative = false;
    natural term;
    if (!take_number(text, term)) {
        return false;
    }
    for (;;) {
        bool const ended = trimmed(text).empty();
        char const sign = ended ? '+' : take_sign(text);
        if (sign == '*') {
            natural factor;
            if (!take_number(text, factor)) {
                return false;
            }
            term = product(term, factor);
            continue;
        }
        (negative ? made.minus : made.plus) = sum(negative ? made.minus : made.plus, term);
        if (ended) {
            return true;
        }
        negative = sign == '-';
        if ((sign != '+' && sign != '-') || !take_number(text, term)) {
            return false;
        }
    }
}

/// A number without its optional spelling: "+7" and "7.0" give 7.
std::string_view bare_value(std::string_view text) {
    text = trimmed(text);
    text.remove_prefix(text.starts_with('+') && text.size() > 1 && is_digit(text[1]) ? 1 : 0);
    std::size_t zeros = text.size();
    while (zeros > 0 && text[zeros - 1] == '0') {
        --zeros;
    }
    bool const decimal = zeros < text.size() && zeros > 1 && text[zeros - 1] == '.' && is_digit(text[zeros - 2]);
    return decimal ? text.substr(0, zeros - 1) : text;
}

natural row_of(std::span<std::int32_t const> digits) {
    std::string plain;
    for (std::int32_t const digit : digits) {
        plain += char('0' + digit);
    }
    return natural_of(plain);
}

/// Whether the text is "n ÷ d" with n = d q + r for the rows [q] and [r] of a block.
bool divides(std::string_view text, std::span<std::int32_t const> block) {
    natural dividend;
    natural divisor;
    if (!take_number(text, dividend) || take_sign(text) != '/' || !take_number(text, divisor) ||
        !trimmed(text).empty() || block[0] < 1 || block[0] > 2) {
        return false;
    }
    auto const quotient = block.subspan(std::size_t(1 + block[0]), std::size_t(block[1]));
    auto const rest = block.subspan(std::size_t(1 + block[0] + block[1]));
    return dividend == sum(product(divisor, row_of(quotient)), row_of(rest));
}

/// Whether a side has the value of a block.
bool is_side_worth(std::string_view text, bare_number rule, std::span<std::int32_t const> block) {
    if (rule == bare_number::digit_rows) {
        return divides(text, block);
    }
    side found;
    if (!read_side(text, found)) {
        return false;
    }
    bool const negative = rule == bare_number::single && block[1] < 0;
    natural const value = rule == bare_number::single
                              ? natural_of(std::to_string(negative ? -std::int64_t(block[1]) : std::int64_t(block[1])))
                              : row_of(block.subspan(1));
    return negative ? found.minus == sum(found.plus, value) : found.plus == sum(found.minus, value);
}

}  // namespace

bool is_worth(std::span<std::int32_t const> postfix, std::int64_t value) {
    std::vector<fraction> stack;
    for (std::int32_t const word : postfix) {
        if (word >= 0) {
            stack.push_back({word, 1});
            continue;
        }
        fraction const right = stack.back();
        stack.pop_back();
        std::optional<fraction> const made = combine(stack.back(), right, word);
        if (!made) {
            return false;
        }
        stack.back() = *made;
    }
    return stack.back().under == 1 && stack.back().over == value;
}

bool read_number_equation(std::string_view text, bare_number rule, std::vector<std::int32_t>& words) {
    std::size_t const sign = text.rfind('=');
    bool const equation = sign != std::string_view::npos;
    if (equation && text.size() > max_equation) {
        return false;
    }
    std::size_t const base = words.size();
    std::string_view left = trimmed(equation ? text.substr(0, sign) : std::string_view());
    if (read_numbers(bare_value(equation ? text.substr(sign + 1) : text), rule, words) != code_ok) {
        std::size_t const first = text.find('=');
        words.resize(base);
        if (!equation || read_numbers(bare_value(text.substr(0, first)), rule, words) != code_ok) {
            words.resize(base);
            return false;
        }
        left = trimmed(text.substr(first + 1));
        if (left.empty()) {
            words.resize(base);
            return false;
        }
    }
    while (!left.empty()) {
        std::size_t const begin = left.rfind('=') + 1;  // 0 where there is none
        if (!is_side_worth(left.substr(begin), rule, std::span(words).subspan(base))) {
            words.resize(base);
            return false;
        }
        left = left.substr(0, begin > 0 ? begin - 1 : 0);
    }
    return true;
}

}  // namespace optgap::text
