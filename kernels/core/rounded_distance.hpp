#pragma once
// TSPLIB's EUC_2D distance in two forms: exact, and as TSPLIB's programs compute it. Each is the same on every
// executor.

#include <cmath>
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

/// The same distance between points a and b, whose coordinates are in units of 1 / scale, as published tour lengths use
/// it: by the square root of a double. Where a root comes near to a half, the two forms may differ by 1. Every
/// operation is rounded once, as IEEE 754 defines, and none is fused with another (-ffp-contract=off, --fmad=false).
/// For scale 1 both forms agree: no root of an integer up to 2^48 comes nearer to a half than doubles can resolve.
OPTGAP_HD inline std::int64_t doubles_distance(std::int32_t const* a, std::int32_t const* b, std::int32_t scale) {
    double const unit = scale;
    double const dx = double(a[0]) / unit - double(b[0]) / unit;
    double const dy = double(a[1]) / unit - double(b[1]) / unit;
    return std::int64_t(sqrt(dx * dx + dy * dy) + 0.5);
}

OPTGAP_KERNELS_END
