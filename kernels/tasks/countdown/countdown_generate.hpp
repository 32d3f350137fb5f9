#pragma once
// Numbers, and a calculation over them whose value is the target.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/countdown/countdown_workings.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::countdown {

inline constexpr std::int32_t max_numbers = 12;

// Purposes of random words.
inline constexpr std::uint32_t draw_numbers = 0;
inline constexpr std::uint32_t draw_order = 1;

/// The parameters that depend on the difficulty scale, which ends at step 487.
struct plan {
    std::int32_t count;
    std::int32_t large;       ///< number of large ones
    std::int32_t large_top;   ///< largest value of these
    std::int32_t max_target;  ///< largest target, and largest result on the way to it
};
OPTGAP_HD inline plan plan_of(std::int32_t d) {
    std::int32_t const large_top = 25 + 2 * d;
    return {d < 48 ? 4 + d / 6 : max_numbers, d < 64 ? d / 8 : 8, large_top < 999 ? large_top : 999,
            d <= 16 ? 9'999 : (d < 400 ? 9'999 + 2'500 * (d - 16) : 969'999)};
}

/// Repeatedly combines two random values with a sign: + and - in three of ten cases each, * in three, / in one. A sign
/// that has no result, or a result above the largest target, is drawn again, at most twenty times for each number.
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
        if (result == 0 || result > of.max_target) {
            continue;
        }
        last = made.calculate(pick, result);
    }
    return last;
}

/// Draws numbers and a calculation over all of them, or all but one, until its value is more than their sum and thus
/// needs a product. If 200 draws fail, their sum is the target. Returns the value's node.
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
