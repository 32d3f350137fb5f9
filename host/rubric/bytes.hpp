#pragma once
// Helpers for passes over a text, sixteen bytes at a time in the vectors of GCC and clang. A block is 64 bytes, and a
// mask has a bit for each of them.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace optgap::rubrics {

inline constexpr std::size_t block_bytes = 64;

using bytes16 = unsigned char __attribute__((vector_size(16)));

inline bytes16 load16(char const* at) {
    bytes16 value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// Returns a bit for each byte whose highest bit is set.
inline std::uint64_t movemask(bytes16 value) {
#if defined(__SSE2__)
    using chars16 = char __attribute__((vector_size(16)));
    return std::uint64_t(std::uint32_t(__builtin_ia32_pmovmskb128(chars16(value))));
#else
    std::uint64_t mask = 0;
    for (int k = 0; k < 16; ++k) {
        mask |= std::uint64_t(value[k] >> 7) << k;
    }
    return mask;
#endif
}

/// Sets all bits of each byte with low <= byte <= high.
inline bytes16 within(bytes16 value, unsigned char low, unsigned char high) {
    return bytes16((value - low) <= static_cast<unsigned char>(high - low));
}
inline bytes16 same(bytes16 value, char byte) { return bytes16(value == static_cast<unsigned char>(byte)); }

/// The mask of the bytes of a block that satisfy a predicate: `holds(bytes16)` sets all bits of such a byte.
template <class Holds>
std::uint64_t mask_of(char const* block, Holds holds) {
    return movemask(holds(load16(block))) | movemask(holds(load16(block + 16))) << 16 |
           movemask(holds(load16(block + 32))) << 32 | movemask(holds(load16(block + 48))) << 48;
}

/// A mask of the lowest `size` bits, at most a block.
inline std::uint64_t low_bits(std::size_t size) {
    return size >= block_bytes ? ~std::uint64_t(0) : (std::uint64_t(1) << size) - 1;
}

/// Calls run(mask, begin) for each block of a text, from the block of `from` on, until it returns false. Nothing beyond
/// the text is read, and no bit beyond it or before `from` is set.
template <class Holds, class Run>
void each_block(std::string_view text, std::size_t from, Holds holds, Run run) {
    for (std::size_t begin = from; begin < text.size(); begin += block_bytes) {
        std::size_t const size = text.size() - begin;
        std::uint64_t mask = 0;
        if (size >= block_bytes) {
            mask = mask_of(text.data() + begin, holds);
        } else {
            char padded[block_bytes] = {};
            std::memcpy(padded, text.data() + begin, size);
            mask = mask_of(padded, holds) & low_bits(size);
        }
        if (!run(mask, begin)) {
            return;
        }
    }
}

/// Calls run(place) for each byte that satisfies the predicate, until it returns false.
template <class Holds, class Run>
void each_byte(std::string_view text, Holds holds, Run run) {
    each_block(text, 0, holds, [&](std::uint64_t mask, std::size_t begin) {
        for (; mask != 0; mask &= mask - 1) {
            if (!run(begin + std::size_t(std::countr_zero(mask)))) {
                return false;
            }
        }
        return true;
    });
}

/// The number of bytes that satisfy the predicate.
template <class Holds>
std::int64_t count_bytes(std::string_view text, Holds holds) {
    std::int64_t count = 0;
    each_block(text, 0, holds, [&](std::uint64_t mask, std::size_t) {
        count += std::popcount(mask);
        return true;
    });
    return count;
}

/// The result of text.find(part, from). Compares the first and the last byte of the part side by side.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);

/// Whether all bytes are ASCII.
bool is_ascii_text(std::string_view text);

}  // namespace optgap::rubrics
