#pragma once
// A symmetric matrix of distances as a table (.csv), written by spreadsheets and scripts:
//
//   0,14,21         ,A,B,C
//   14,0,12        A,0,14,21
//   21,12,0        B,14,0,12
//                  C,21,12,0

#include <cstdint>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap {

/// The lower triangle without the diagonal, row by row, of the table that begins with the current line; `n` receives
/// its number of rows. The file must contain nothing else, and numbers must be within 0 … high.
std::vector<std::int32_t> read_matrix_table(file_lines& lines, std::int64_t high, std::int64_t& n);

}  // namespace optgap
