#pragma once

#include <cstdint>
#include <string_view>

#include "optgap/engine.hpp"

namespace optgap::rows {

/// The name of a code of any kind of rows, or of a task of the engine. Throws error{invalid_argument} for a number that
/// is none.
std::string_view code_name(engine const& by, std::int32_t task, std::int32_t code);

}  // namespace optgap::rows
