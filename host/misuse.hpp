#pragma once
// What a caller gets who asks for something that cannot be.

#include <string>

#include "optgap/status.hpp"

namespace optgap {

[[noreturn]] inline void misuse(std::string const& sentence) { throw error(status::invalid_argument, sentence); }

}  // namespace optgap
