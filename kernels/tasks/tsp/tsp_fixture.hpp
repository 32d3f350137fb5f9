#pragma once
// Shared by the tests of tsp: words, and a view of them.

#include <cstdint>
#include <vector>

#include "kernels/core/task.hpp"

namespace optgap::tsp_fixture {

using words = std::vector<std::int32_t>;

inline words_view view(words const& block) { return {block.data(), std::int64_t(block.size())}; }

}  // namespace optgap::tsp_fixture
