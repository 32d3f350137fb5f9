#pragma once
// Random123's Philox beside cuRAND's. The two headers define the same names, so one file cannot include both.

#include <array>
#include <cstdint>
#include <optional>

namespace optgap::testing {

/// The block of this key and counter; nullopt where Random123 is not installed.
std::optional<std::array<std::uint32_t, 4>> twin_philox(std::uint64_t key, std::array<std::uint32_t, 4> counter);

}  // namespace optgap::testing
