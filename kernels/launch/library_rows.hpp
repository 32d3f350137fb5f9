#pragma once
// How many rows CUB's calls are tried with before the first call that counts. Its kernels have no names to load them
// by: the driver loads each when it first runs, which waits for the device and has no place in a graph's capture. Which
// ones run depends on the rows.

#include <cstdint>

namespace optgap {

/// CUB sorts up to so many pairs of words by one block, and more by three other kernels. CUB's own number, in CUDA 12
/// and 13 for every card; tests/cuda/library_kernels_test.cu sees it move.
inline constexpr std::int32_t most_rows_of_one_block = 4864;

/// Both ways.
inline constexpr std::int32_t library_rows[] = {8192, 2};
static_assert(library_rows[0] > most_rows_of_one_block && library_rows[1] <= most_rows_of_one_block);

}  // namespace optgap
