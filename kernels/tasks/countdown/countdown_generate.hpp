#pragma once
// Numbers, and a calculation over them whose value is the target.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/countdown/countdown_workings.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::countdown {

inline constexpr std::int32_t most_numbers = 12;

// Random words by purpose.
inline constexpr std::uint32_t draw_numbers = 0;
inline constexpr std::uint32_t draw_order = 1;

/// What the ladder changes; it ends at step 487.
struct plan {
    std::int32_t count;
    std::int32_t large;        ///< of them
    std::int32_t large_top;    ///< value
    std::int32_t most_target;  ///< and of every result on the way to it
};
OPTGAP_HD inline plan plan_of(std::int32_t d) {
    std::int32_t const large_top = 25 + 2 * d;
    return {d < 48 ? 4 + d / 6 : most_numbers, d < 64 ? d / 8 : 8, large_top < 999 ? large_top : 999,
            d <= 16 ? 9'999 : (d < 400 ? 9'999 + 2'500 * (d - 16) : 969'999)};
}

/// Two values at random and a sign, again and again: + and - in three of ten, * in three, / in one. A sign with a
/// result above the largest target, or without one, is drawn anew, twenty times a number at most.
OPTGAP_HD inline std::int32_t combine(draw_stream& stream, plan const& of, workings& made, std::int32_t spared) {
    std::int32_t last = 0;
    if (spared >= 0) {
        made.spare(spared);
    }
    for (std::int32_t draws = 0; made.left_over() > 1 && draws < 20 * of.count; ++draws) {
        std::int32_t const left = made.left_over();
        std::int32_t const i = stream.uniform(0, left - 1);
        std::int32_t const other = stream.uniform(0, left - 2);
        std::int32_t const j = other + (other >= i ? 1 : 0);
        std::int32_t const die = stream.uniform(0, 9);
        std::int32_t const sign = die < 3 ? sign_plus : die < 6 ? sign_minus : die < 9 ? sign_times : sign_over;
        choice const pick{i < j ? i : j, i < j ? j : i, sign};
        std::int32_t const result = made.result(pick);
        if (result == 0 || result > of.most_target) {
            continue;
        }
        last = made.calculate(pick, result);
    }
    return last;
}

/// Draws numbers and a calculation over all of them or all but one until its value is more than their sum, and so
/// needs a product; their sum itself where 200 are not. The value's node.
OPTGAP_HD inline std::int32_t deal(draw source, plan const& of, workings& made, std::int32_t* numbers) {
    draw_stream stream(source, draw_numbers);
    for (std::int32_t attempt = 0; attempt < 200; ++attempt) {
        std::int32_t sum = 0;
        for (std::int32_t i = 0; i < of.count; ++i) {
            numbers[i] = i < of.large ? stream.uniform(11, of.large_top) : stream.uniform(1, 10);
            sum += numbers[i];
        }
        std::int32_t const spared = stream.chance(500) ? stream.uniform(0, of.count - 1) : -1;
        made.begin(numbers);
        std::int32_t const last = combine(stream, of, made, spared);
        if (made.value(last) > sum) {
            return last;
        }
    }
    made.begin(numbers);
    std::int32_t last = 0;
    while (made.left_over() > 1) {
        choice const both{0, 1, sign_plus};
        last = made.calculate(both, made.at(0) + made.at(1));
    }
    return last;
}

}  // namespace tasks::countdown
OPTGAP_KERNELS_END
