#pragma once

#include <cstdint>
#include <cstring>

namespace optgap {

/// Finds the next quote, backslash or control character and, where `ascii`, the next byte that is not ASCII. Looks at
/// eight bytes a step.
template <bool ascii = false>
inline char const* string_stop(char const* p, char const* end) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    constexpr std::uint64_t high = 0x8080808080808080u;
    auto const stops = [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ||
               (ascii && static_cast<unsigned char>(c) >= 0x80);
    };
    while (end - p >= 8) {
        std::uint64_t x;
        std::memcpy(&x, p, 8);
        std::uint64_t const quote = x ^ (ones * '"');
        std::uint64_t const slash = x ^ (ones * '\\');
        std::uint64_t const hit = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((x - ones * 0x20) & ~x);
        if (((ascii ? hit | x : hit) & high) != 0) {
            break;
        }
        p += 8;
    }
    while (p < end && !stops(*p)) {
        ++p;
    }
    return p;
}

}  // namespace optgap
