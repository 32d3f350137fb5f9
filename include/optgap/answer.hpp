#pragma once  // Stable.
// Answers are blocks of int32 words, with one layout for all tasks:
//
//   [answer_flat, v0, v1, …]               a list of integers
//   [rows, len_0 … len_{rows-1}, v0, …]    a list of `rows` lists
//   [answer_word, k]                       the task's k-th word ("Impossible")
//
// An expression is a flat list in postfix order: integers from 0 on, and a negative number for each sign. 3 * (4 + 5)
// is [answer_flat, 3, 4, 5, sign_plus, sign_times].

#include <cstdint>

namespace optgap {

inline constexpr std::int32_t answer_flat = -1;
inline constexpr std::int32_t answer_word = -2;

inline constexpr std::int32_t sign_plus = -1;
inline constexpr std::int32_t sign_minus = -2;
inline constexpr std::int32_t sign_times = -3;
inline constexpr std::int32_t sign_over = -4;

}  // namespace optgap
