#pragma once  // Stable.

#include <cstdint>
#include <string_view>

namespace optgap {

/// How generation ended, as the trainer reports it.
enum class finish : std::int32_t { unknown = 0, stop = 1, length = 2, abort = 3 };
/// As rows name them, by number.
inline constexpr std::string_view finish_names[] = {"unknown", "stop", "length", "abort"};

}  // namespace optgap
