#pragma once
// The numbers of rows with which CUB's calls are tried before the first real call. Its kernels cannot be loaded by
// name: the driver loads each one when it first runs, which waits for the device and is not allowed in a graph's
// capture. Which kernels run depends on the number of rows.

#include <cstdint>

namespace optgap {

/// CUB sorts up to this many pairs of words by one block, and more pairs by three other kernels. The number is CUB's
/// own, in CUDA 12 and 13 for every GPU; tests/cuda/library_kernels_test.cu fails when it changes.
inline constexpr std::int32_t max_rows_of_one_block = 4864;

/// One number for each of the two ways.
inline constexpr std::int32_t library_rows[] = {8192, 2};
static_assert(library_rows[0] > max_rows_of_one_block && library_rows[1] <= max_rows_of_one_block);

}  // namespace optgap
