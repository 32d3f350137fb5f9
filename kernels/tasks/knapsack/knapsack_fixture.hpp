#pragma once
// Shared by the tests of knapsack: the paper's instance, and a view of words.

#include <cstdint>
#include <vector>

#include "kernels/core/task.hpp"

namespace optgap::knapsack_fixture {

using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

inline block paper() { return {4, 20, 3, 4, 7, 8, 4, 5, 10, 11}; }

}  // namespace optgap::knapsack_fixture
