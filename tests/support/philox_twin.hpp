#pragma once
// Random123's Philox beside cuRAND's: the two headers define the same names and cannot meet in one file.

#include <array>
#include <cstdint>
#include <optional>

namespace optgap::testing {

/// The block of this key and counter; nothing where Random123 is not installed.
std::optional<std::array<std::uint32_t, 4>> twin_philox(std::uint64_t key, std::array<std::uint32_t, 4> counter);

}  // namespace optgap::testing
