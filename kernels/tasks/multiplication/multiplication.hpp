#pragma once
// Multiplication of two numbers of any length: the digits of their product.
//
//   12 x 34   [4, 0, 8]; of [5, 0, 8] two digits are right, counted from the last

#include "kernels/families/exact/two_numbers.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::multiplication {

// Purposes of random words.
inline constexpr std::uint32_t draw_digits = 0;

struct task : families::two_numbers_task<task> {
    static constexpr families::exact_units counted = families::exact_units::back;

    OPTGAP_HD static std::int32_t a_digits(difficulty level) { return 2 + step_of(level) / 2; }
    OPTGAP_HD static std::int32_t b_digits(difficulty level) { return 1 + (step_of(level) + 1) / 2; }
    OPTGAP_HD static std::int64_t max_answer_words(std::int64_t shown_words) { return shown_words - 1; }

    /// The first and last digit of each are 1 to 9, so that no factor is easier than it looks.
    OPTGAP_HD static void show(draw source, difficulty level, std::int32_t* words) {
        draw_stream digits(source, draw_digits);
        words[0] = a_digits(level);
        words[1] = b_digits(level);
        for (std::int32_t i = 0; i < words[0] + words[1]; ++i) {
            bool const inner = i != 0 && i != words[0] - 1 && i != words[0] && i != words[0] + words[1] - 1;
            words[2 + i] = digits.uniform(inner ? 0 : 1, 9);
        }
    }

    /// Computes column by column from the last one, as on paper. The slip: the carry of a column is forgotten.
    OPTGAP_HD static std::int64_t compute(words_view shown, families::exact_slip slip, std::int32_t* answer) {
        words_view const first = a(shown);
        words_view const second = b(shown);
        std::int64_t const columns = first.count + second.count;
        std::int64_t carry = 0;
        for (std::int64_t column = 0; column < columns; ++column) {
            if (carry > 0 && slip(column)) {
                carry = 0;
            }
            for (std::int64_t i = 0; i < second.count; ++i) {
                std::int64_t const k = column - i;  // places counted from the last digits
                if (k >= 0 && k < first.count) {
                    carry += std::int64_t(first[first.count - 1 - k]) * second[second.count - 1 - i];
                }
            }
            answer[columns - column] = std::int32_t(carry % 10);
            carry /= 10;
        }
        std::int64_t zeros = 0;  // leading zeros, except for 0 itself
        while (zeros < columns - 1 && answer[1 + zeros] == 0) {
            ++zeros;
        }
        answer[0] = answer_flat;
        for (std::int64_t i = 1; zeros > 0 && i + zeros <= columns; ++i) {
            answer[i] = answer[i + zeros];
        }
        return 1 + columns - zeros;
    }
};

}  // namespace tasks::multiplication
OPTGAP_KERNELS_END
