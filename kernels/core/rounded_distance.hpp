#pragma once
// TSPLIB's EUC_2D distance in integers: the same on every executor.

#include <cstdint>

#include "kernels/core/checked.hpp"
#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN

/// nint(sqrt(dx² + dy²) / scale), exactly. With r = floor(sqrt(s)), floor(sqrt(4s)) is 2r or 2r + 1, and rounding
/// sqrt(s) / scale to the nearest integer is floor((floor(2·sqrt(s)) + scale) / (2·scale)): a floor inside a floor of a
/// quotient by an integer changes nothing.
OPTGAP_HD inline std::int64_t rounded_distance(std::int64_t dx, std::int64_t dy, std::int64_t scale) {
    std::int64_t const squared = dx * dx + dy * dy;
    std::int64_t const root = integer_sqrt(squared);
    std::int64_t const doubled = 2 * root + (squared - root * root > root ? 1 : 0);
    return (doubled + scale) / (2 * scale);
}

OPTGAP_KERNELS_END
