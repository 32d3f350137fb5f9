#pragma once
// Integer arithmetic on user data. Every sum and product that a user's instance could overflow goes through here.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN

/// a + b. Returns false and leaves `out` untouched when the sum leaves int64.
OPTGAP_HD inline bool checked_add(std::int64_t a, std::int64_t b, std::int64_t& out) {
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        return false;
    }
    out = a + b;
    return true;
}

/// a · b for a, b >= 0. Returns false when the product leaves int64.
OPTGAP_HD inline bool checked_multiply(std::int64_t a, std::int64_t b, std::int64_t& out) {
    if (a != 0 && b > INT64_MAX / a) {
        return false;
    }
    out = a * b;
    return true;
}

/// floor(sqrt(x)) for 0 <= x < 2^62, digit by digit: the same on every executor.
OPTGAP_HD inline std::int64_t integer_sqrt(std::int64_t x) {
    std::int64_t root = 0;
    std::int64_t rest = x;
    for (std::int64_t bit = std::int64_t(1) << 60; bit > 0; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}

OPTGAP_KERNELS_END
