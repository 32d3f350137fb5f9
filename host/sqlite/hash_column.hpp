#pragma once
// A hash of instances as 16 bytes of a column, high half first, so that the order of the bytes is that of the numbers.

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/sqlite/sqlite.hpp"
#include "optgap/key.hpp"

namespace optgap::sqlite {

inline std::array<std::byte, 16> bytes_of(instance_hash hash) {
    std::array<std::byte, 16> out{};
    for (std::size_t i = 0; i < 8; ++i) {
        out[i] = std::byte(hash.high >> (56 - 8 * i) & 0xff);
        out[8 + i] = std::byte(hash.low >> (56 - 8 * i) & 0xff);
    }
    return out;
}

/// Zero for a column of another length.
inline instance_hash hash_of(bytes from) {
    instance_hash out;
    for (std::size_t i = 0; i < 8 && from.size() == 16; ++i) {
        out.high = out.high << 8 | std::uint64_t(from[i]);
        out.low = out.low << 8 | std::uint64_t(from[8 + i]);
    }
    return out;
}

}  // namespace optgap::sqlite
