#pragma once
// The data that a call reads, and its place, for the choice of a device.

#include <cstdint>

#include "optgap/batch.hpp"

namespace optgap {

struct data_place {
    std::int64_t bytes = 0;  ///< in host memory
    memory where = memory::host;
};

/// Data that lies partly on a device belongs to the device, since the host cannot read it.
[[nodiscard]] constexpr data_place operator+(data_place a, data_place b) {
    return {a.bytes + b.bytes, a.where == memory::device ? a.where : b.where};
}

/// The host cannot read a device's offsets.
[[nodiscard]] inline data_place place_of(csr_view const& rows) {
    if (rows.space == memory::device || rows.rows == 0) {
        return {0, rows.space};
    }
    std::int64_t const words = rows.offsets[rows.rows] - rows.offsets[0];
    return {words * std::int64_t(sizeof *rows.words) + (rows.rows + 1) * std::int64_t(sizeof *rows.offsets),
            memory::host};
}

/// A span, in host memory.
[[nodiscard]] constexpr data_place place_of(auto const& span) {
    return {std::int64_t(span.size_bytes()), memory::host};
}

}  // namespace optgap
