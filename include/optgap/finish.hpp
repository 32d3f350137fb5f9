#pragma once  // Stable.

#include <cstdint>

namespace optgap {

/// How generation ended, as the trainer reports it.
enum class finish : std::int32_t { unknown = 0, stop = 1, length = 2, abort = 3 };

}  // namespace optgap
