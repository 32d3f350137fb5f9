#pragma once
// Two numbers of any length, a and b, shown digit by digit: the part shared by exact tasks of arithmetic. A task adds
//
//   a_digits(level), b_digits(level)   lengths of the generated numbers
//   show, compute, max_answer_words   of exact_task

#include "kernels/families/exact/exact.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr field two_numbers_layout[] = {
    {"a_digits", field_kind::size, "a has 1 to 6000 digits", 1, 6000},
    {"b_digits", field_kind::size, "b has 1 to 6000 digits", 1, 6000},
    {"a", field_kind::list, "a is a number's digits from the first on, each 0 to 9", 0, 9, of(0)},
    {"b", field_kind::list, "b is a number's digits from the first on, each 0 to 9", 0, 9, of(1)},
};

template <class Task>
struct two_numbers_task : exact_task<Task> {
    static constexpr std::span<field const> layout = two_numbers_layout;
    static constexpr std::int32_t low = 0;
    static constexpr std::int32_t high = 9;

    OPTGAP_HD static words_view a(words_view words) { return {words.data + 2, words[0]}; }
    OPTGAP_HD static words_view b(words_view words) { return {words.data + 2 + words[0], words[1]}; }

    static char const* check_more(words_view words) {
        for (words_view const number : {a(words), b(words)}) {
            if (number.count > 1 && number[0] == 0) {
                return "a number of several digits does not begin with 0";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int64_t shown_words(draw, difficulty level) {
        return 2 + Task::a_digits(level) + Task::b_digits(level);
    }
};

}  // namespace families
OPTGAP_KERNELS_END
