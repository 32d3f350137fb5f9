#pragma once

#include <cstdint>
#include <span>

#include "optgap/engine.hpp"

namespace optgap::serve {

/// What two builds must have in common to give the same bytes: version, tasks and their versions, formats, encodings.
std::uint64_t build_fingerprint(std::span<task_info const> tasks);

}  // namespace optgap::serve
