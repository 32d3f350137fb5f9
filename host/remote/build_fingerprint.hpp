#pragma once

#include <cstdint>
#include <span>

#include "optgap/engine.hpp"

namespace optgap::serve {

/// A hash of all that two builds must share to give the same bytes: version, tasks and their versions, formats,
/// encodings.
std::uint64_t build_fingerprint(std::span<task_info const> tasks);

}  // namespace optgap::serve
