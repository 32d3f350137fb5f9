#pragma once
// Division of two numbers of any length with remainder: the digits of the quotient, then those of the remainder.
//
//   100 by 7   [[1, 4], [2]]; of [[1, 4], [3]] two digits are right, of [[1, 3], [2]] one

#include "kernels/families/exact/two_numbers.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::division {

// Purposes of random words.
inline constexpr std::uint32_t draw_digits = 0;

struct task : families::two_numbers_task<task> {
    static constexpr families::exact_units counted = families::exact_units::front;
    static constexpr bool in_rows = true;

    static char const* check_more(words_view words) {
        char const* const broken = two_numbers_task::check_more(words);
        return broken == nullptr && b(words)[0] == 0 ? "b is not 0" : broken;
    }

    OPTGAP_HD static std::int32_t b_digits(difficulty level) { return 2 + step_of(level) / 4; }
    OPTGAP_HD static std::int32_t a_digits(difficulty level) { return b_digits(level) + 2 + step_of(level) / 4; }
    /// Quotient and remainder together have at most one digit more than the dividend; three words describe their shape.
    OPTGAP_HD static std::int64_t max_answer_words(std::int64_t shown_words) { return shown_words + 2; }

    OPTGAP_HD static void show(draw source, difficulty level, std::int32_t* words) {
        draw_stream digits(source, draw_digits);
        words[0] = a_digits(level);
        words[1] = b_digits(level);
        for (std::int32_t i = 0; i < words[0] + words[1]; ++i) {
            words[2 + i] = digits.uniform(i == 0 || i == words[0] ? 1 : 0, 9);
        }
    }

    /// Works through the dividend digit by digit, as on paper, and finds each digit of the quotient by subtractions.
    /// Slips: a digit is brought down off by one; a digit of the remainder is written off by one.
    OPTGAP_HD static std::int64_t compute(words_view shown, families::exact_slip slip, std::int32_t* answer) {
        words_view const dividend = a(shown);
        words_view const divisor = b(shown);
        std::int32_t* const quotient = answer + 3;  // [2, its digits, the remainder's], then the digits
        std::int64_t quotient_digits = 0;
        // Behind the room for the quotient. It needs one digit more than the divisor has, but never more than
        // max_answer_words.
        std::int32_t* const rest = quotient + dividend.count;
        std::int64_t rest_digits = 0;
        for (std::int64_t i = 0; i < dividend.count; ++i) {
            std::int32_t const down = slip(quotient_digits) ? one_off(dividend[i]) : dividend[i];
            if (rest_digits > 0 || down > 0) {
                rest[rest_digits++] = down;
            }
            std::int32_t digit = 0;
            while (subtract(rest, rest_digits, divisor)) {
                ++digit;
            }
            if (quotient_digits > 0 || digit > 0 || i == dividend.count - 1) {
                quotient[quotient_digits++] = digit;
            }
        }
        if (rest_digits == 0) {
            rest[rest_digits++] = 0;
        }
        bool const careless = slip.from >= quotient_digits;  // the slip concerns the remainder only
        for (std::int64_t i = 0; i < rest_digits; ++i) {
            quotient[quotient_digits + i] = careless && slip(quotient_digits + i) ? one_off(rest[i]) : rest[i];
        }
        answer[0] = 2;
        answer[1] = std::int32_t(quotient_digits);
        answer[2] = std::int32_t(rest_digits);
        return 3 + quotient_digits + rest_digits;
    }

private:
    OPTGAP_HD static std::int32_t one_off(std::int32_t digit) { return digit > 0 ? digit - 1 : 1; }

    /// Subtracts the divisor if the rest is at least as large.
    OPTGAP_HD static bool subtract(std::int32_t* rest, std::int64_t& count, words_view divisor) {
        if (count < divisor.count) {
            return false;
        }
        for (std::int64_t i = 0; count == divisor.count; ++i) {
            if (i == count || rest[i] > divisor[i]) {
                break;
            }
            if (rest[i] < divisor[i]) {
                return false;
            }
        }
        std::int32_t borrowed = 0;
        for (std::int64_t k = 0; k < count; ++k) {  // places from the last digit on
            std::int32_t& digit = rest[count - 1 - k];
            digit -= borrowed + (k < divisor.count ? divisor[divisor.count - 1 - k] : 0);
            borrowed = digit < 0 ? 1 : 0;
            digit += 10 * borrowed;
        }
        std::int64_t zeros = 0;
        while (zeros < count && rest[zeros] == 0) {
            ++zeros;
        }
        for (std::int64_t i = 0; zeros > 0 && i + zeros < count; ++i) {
            rest[i] = rest[i + zeros];
        }
        count -= zeros;
        return true;
    }
};

}  // namespace tasks::division
OPTGAP_KERNELS_END
