#pragma once

#include <cstdint>
#include <cstdlib>

namespace optgap::testing {

/// The number of schedules of each test.
inline std::uint64_t schedules() {
    char const* const wanted = std::getenv("OPTGAP_SCHEDULES");
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 24;
}

}  // namespace optgap::testing
