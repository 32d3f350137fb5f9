#pragma once
// Sorting: the same integers, with repetitions, in rising order.
//
//   [3, 1, 2]   [1, 2, 3]; of [1, 3, 2] one place is right, counted from the first

#include "kernels/families/exact/exact.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sorting {

// Purposes of random words.
inline constexpr std::uint32_t draw_values = 0;

inline constexpr field list_layout[] = {
    {"n", field_kind::size, "there are 1 to 20000 integers", 1, 20'000},
    {"values", field_kind::list, "an integer is 0 to 1000000", 0, 1'000'000, of(0)},
};

struct task : families::exact_task<task> {
    static constexpr std::span<field const> layout = list_layout;
    static constexpr families::exact_units counted = families::exact_units::front;
    static constexpr std::int32_t low = 0;
    static constexpr std::int32_t high = 1'000'000;

    OPTGAP_HD static words_view values(words_view words) { return {words.data + 1, words[0]}; }

    OPTGAP_HD static std::int32_t size_of(difficulty level) { return 4 + step_of(level) * 3 / 2; }
    OPTGAP_HD static std::int64_t shown_words(draw, difficulty level) { return 1 + size_of(level); }
    OPTGAP_HD static std::int64_t max_answer_words(std::int64_t shown_words) { return shown_words; }

    /// Values from 0 to 30 n, so that about one in sixty is repeated.
    OPTGAP_HD static void show(draw source, difficulty level, std::int32_t* words) {
        std::int32_t const n = size_of(level);
        words[0] = n;
        for (std::int32_t i = 0; i < n; ++i) {
            words[1 + i] = uniform(source, draw_values, std::uint32_t(i), 0, 30 * n);
        }
    }

    /// Insertion sort. The slip: a greater integer is written first, and the right one behind it.
    OPTGAP_HD static std::int64_t compute(words_view shown, families::exact_slip slip, std::int32_t* answer) {
        words_view const list = values(shown);
        std::int32_t* const sorted = answer + 1;
        answer[0] = answer_flat;
        for (std::int64_t i = 0; i < list.count; ++i) {
            std::int64_t at = i;
            for (; at > 0 && sorted[at - 1] > list[i]; --at) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = list[i];
        }
        for (std::int64_t i = 0; i + 1 < list.count; ++i) {
            if (sorted[i] != sorted[i + 1] && slip(i)) {
                std::int32_t const less = sorted[i];
                sorted[i] = sorted[i + 1];
                sorted[i + 1] = less;
                break;
            }
        }
        return 1 + list.count;
    }
};

}  // namespace tasks::sorting
OPTGAP_KERNELS_END
