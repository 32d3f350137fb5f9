#pragma once  // Stable.
// Answers are blocks of int32 words, with one layout for all tasks:
//
//   [answer_flat, v0, v1, …]               a list of integers
//   [rows, len_0 … len_{rows-1}, v0, …]    a list of `rows` lists
//   [answer_word, k]                       the task's k-th word ("Impossible")

#include <cstdint>

namespace optgap {

inline constexpr std::int32_t answer_flat = -1;
inline constexpr std::int32_t answer_word = -2;

}  // namespace optgap
