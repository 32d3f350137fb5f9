#include "host/parse/expression.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "host/parse/equation.hpp"
#include "host/parse/lexemes.hpp"
#include "optgap/answer.hpp"
#include "optgap/verdict.hpp"

namespace optgap::text {
namespace {

constexpr std::size_t max_open = 64;
constexpr std::size_t max_tokens = 4096;
constexpr std::ptrdiff_t expression_digits = 10;
constexpr std::size_t side_digits = 18;

enum class token : std::uint8_t {
    none,
    blank,
    plus,
    minus,
    times,
    over,
    round,  // and its closing bracket
    square,
    curly,
    close_round,
    close_square,
    close_curly,
    fraction,   // \frac, before its numerator
    numerator,  // the numerator's open {
    denominator,
    equals,
};

struct spelling {
    std::string_view written;
    token meaning;
};

/// Longer spellings come before their own prefixes.
constexpr std::array spellings{
    spelling{" ", token::blank}, spelling{"\n", token::blank}, spelling{"\t", token::blank},
    spelling{"\r", token::blank}, spelling{"+", token::plus}, spelling{"-", token::minus}, spelling{"*", token::times},
    spelling{"x", token::times}, spelling{"X", token::times}, spelling{"/", token::over}, spelling{"(", token::round},
    spelling{"[", token::square}, spelling{"{", token::curly}, spelling{")", token::close_round},
    spelling{"]", token::close_square}, spelling{"}", token::close_curly}, spelling{"=", token::equals},
    // minus sign, en dash; multiplication sign, middle dot, dot operator, asterisk operator; division sign
    spelling{"\xE2\x88\x92", token::minus}, spelling{"\xE2\x80\x93", token::minus}, spelling{"\xC3\x97", token::times},
    spelling{"\xC2\xB7", token::times}, spelling{"\xE2\x8B\x85", token::times}, spelling{"\xE2\x88\x97", token::times},
    spelling{"\xC3\xB7", token::over},
    // LaTeX
    spelling{"\\times", token::times}, spelling{"\\cdot", token::times}, spelling{"\\ast", token::times},
    spelling{"\\div", token::over}, spelling{"\\frac", token::fraction}, spelling{"\\dfrac", token::fraction},
    spelling{"\\tfrac", token::fraction}, spelling{"\\{", token::curly}, spelling{"\\}", token::close_curly},
    spelling{"\\left", token::blank}, spelling{"\\right", token::blank}, spelling{"\\bigl", token::blank},
    spelling{"\\bigr", token::blank}, spelling{"\\big", token::blank}, spelling{"\\,", token::blank},
    spelling{"\\;", token::blank}, spelling{"\\:", token::blank}, spelling{"\\!", token::blank},
    spelling{"\\ ", token::blank}, spelling{"\\quad", token::blank}, spelling{"\\qquad", token::blank}};

constexpr bool is_sign(token one) { return one >= token::plus && one <= token::over; }
constexpr bool is_opening(token one) { return one >= token::round && one <= token::curly; }
constexpr int rank(token sign) { return sign == token::plus || sign == token::minus ? 1 : 2; }
constexpr std::int32_t word_of(token sign) {
    constexpr std::int32_t words[] = {sign_plus, sign_minus, sign_times, sign_over};
    return words[std::size_t(sign) - std::size_t(token::plus)];
}
constexpr token closing(token open) {
    return open == token::round ? token::close_round : open == token::square ? token::close_square : token::close_curly;
}

/// Operators and open brackets wait on a stack (Dijkstra's shunting yard): two signs at most between two brackets.
class expression_reader {
public:
    expression_reader(std::string_view text, std::vector<std::int32_t>& words, spelling_rule spelling)
        : text_(text), words_(words), base_(words.size()), free_(spelling == spelling_rule::free) {}

    std::int32_t read() {
        bool const behind = free_ && take_front_side();
        std::int64_t const front = side_;
        token first = token::blank;
        for (;;) {
            if (std::int32_t const code = read_operand(first); code != code_ok) {
                return code;
            }
            first = token::blank;
            bool closed = false;
            token next = next_token();
            while (next >= token::close_round && next <= token::close_curly) {
                if (!close(next)) {
                    return code_unparsable;
                }
                next = top_ > 0 && stack_[top_ - 1] == token::fraction ? open_denominator() : next_token();
                closed = true;
                if (next == token::denominator) {
                    break;
                }
            }
            if (next == token::denominator) {
                continue;
            }
            if (is_sign(next)) {
                put_signs(rank(next));
                stack_[top_++] = next;
                continue;
            }
            if (free_ &&
                (next == token::round || (closed && next == token::none && !text_.empty() && is_digit(text_[0])))) {
                put_signs(rank(token::times));  // (9)(3), 9(3), (9)3
                stack_[top_++] = token::times;
                first = next == token::round ? token::round : token::blank;
                continue;
            }
            put_signs(0);
            if (top_ != 0 ||
                !(next == token::equals ? take_side() && behind_side_ == token::none && text_.empty() && holds(side_)
                                        : next == token::none && text_.empty()) ||
                (behind && !holds(front))) {
                return code_unparsable;
            }
            return check_length();
        }
    }

private:
    /// Takes the next token that is not a blank. Returns token::none at a digit, at the end and at unknown text.
    token next_token() {
        for (;;) {
            token const found = take();
            if (found != token::blank) {
                return found;
            }
        }
    }
    token take() {
        for (spelling const& one : spellings) {
            std::string_view const written = one.written;
            if (text_.empty() || text_[0] != written[0] || text_.substr(0, written.size()) != written) {
                continue;
            }
            bool const letters = written.size() > 2 && written[0] == '\\';  // a command ends where its letters end
            if (letters && text_.size() > written.size() && is_letter(text_[written.size()])) {
                continue;
            }
            text_.remove_prefix(written.size());
            return one.meaning;
        }
        return token::none;
    }

    /// Reads opening brackets, then an integer. `first` was taken already, unless it is a blank.
    std::int32_t read_operand(token first) {
        for (;;) {
            token const next = first == token::blank ? next_token() : first;
            first = token::blank;
            if (next == token::none) {
                return read_integer();
            }
            bool const fraction = next == token::fraction;
            if (!is_opening(next) && !(fraction && next_token() == token::curly)) {
                return code_unparsable;
            }
            if (open_ == max_open) {
                return code_bad_depth;
            }
            ++open_;
            stack_[top_++] = fraction ? token::numerator : next;
        }
    }

    std::int32_t read_integer() {
        std::int64_t value = 0;
        std::ptrdiff_t size = 0;
        bool const zero = !text_.empty() && text_[0] == '0';
        while (!text_.empty() && is_digit(text_[0])) {
            if (size == expression_digits) {
                return code_overflow;
            }
            if (size > 0 && zero) {
                return code_not_integer;
            }
            value = value * 10 + (text_[0] - '0');
            text_.remove_prefix(1);
            ++size;
        }
        if (size == 0) {
            return code_unparsable;
        }
        if (value > std::numeric_limits<std::int32_t>::max()) {
            return code_overflow;
        }
        words_.push_back(std::int32_t(value));
        return text_.empty() || text_[0] != '.' ? check_length() : code_not_integer;
    }
    [[nodiscard]] std::int32_t check_length() const {
        return words_.size() - base_ > max_tokens ? code_overflow : code_ok;
    }

    /// Writes the signs above the innermost bracket that bind at least as strongly.
    void put_signs(int least) {
        while (top_ > 0 && is_sign(stack_[top_ - 1]) && rank(stack_[top_ - 1]) >= least) {
            words_.push_back(word_of(stack_[--top_]));
        }
    }
    /// Closes a bracket. The numerator's bracket of a fraction leaves `fraction` on the stack.
    bool close(token bracket) {
        put_signs(0);
        if (top_ == 0) {
            return false;
        }
        token const open = stack_[--top_];
        bool const part = open == token::numerator || open == token::denominator;
        if (bracket != (part ? token::close_curly : closing(open))) {
            return false;
        }
        --open_;
        if (open == token::denominator) {
            words_.push_back(sign_over);
        } else if (open == token::numerator) {
            stack_[top_++] = token::fraction;
        }
        return true;
    }
    token open_denominator() {
        --top_;
        if (next_token() != token::curly) {
            return token::fraction;  // accepted nowhere
        }
        ++open_;
        return stack_[top_++] = token::denominator;
    }

    /// Reads an integer on one side of "=" into side_, and the blanks after it. More than 18 digits are refused.
    bool take_side() {
        token const sign = next_token();
        if (sign != token::none && (sign != token::minus || next_token() != token::none)) {
            return false;
        }
        std::size_t size = 0;
        side_ = 0;
        for (; size < text_.size() && is_digit(text_[size]) && size <= side_digits; ++size) {
            side_ = size < side_digits ? side_ * 10 + (text_[size] - '0') : side_;
        }
        side_ = sign == token::minus ? -side_ : side_;
        text_.remove_prefix(size);
        behind_side_ = next_token();
        return size > 0 && size <= side_digits;
    }
    /// Reads "27 =" before an expression. Anything else is left unread.
    bool take_front_side() {
        std::string_view const whole = text_;
        if (take_side() && behind_side_ == token::equals) {
            return true;
        }
        text_ = whole;
        return false;
    }
    /// Whether the whole expression has the value.
    [[nodiscard]] bool holds(std::int64_t value) const { return is_worth(std::span(words_).subspan(base_), value); }

    std::string_view text_;  // the unread text
    std::vector<std::int32_t>& words_;
    std::size_t base_;
    bool free_;
    std::int64_t side_ = 0;
    token behind_side_ = token::none;
    std::array<token, 3 * max_open + 3> stack_{};
    std::size_t top_ = 0;
    std::size_t open_ = 0;
};

}  // namespace

std::int32_t read_expression(std::string_view text, std::vector<std::int32_t>& words, spelling_rule spelling) {
    std::size_t const base = words.size();
    words.push_back(answer_flat);
    std::int32_t const code = expression_reader(text, words, spelling).read();
    if (code != code_ok) {
        words.resize(base);
    }
    return code;
}

}  // namespace optgap::text
