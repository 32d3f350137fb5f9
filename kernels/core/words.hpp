#pragma once
// Instances and answers are blocks of int32 words. Each task defines the layout of its instances; all tasks share the
// layout of answers (optgap/answer.hpp).

#include <cstdint>

#include "kernels/core/assert.hpp"
#include "kernels/core/hd.hpp"
#include "optgap/answer.hpp"

namespace optgap {

/// Read-only int32 words in the executor's memory.
struct words_view {
    std::int32_t const* data = nullptr;
    std::int64_t count = 0;

    OPTGAP_HD std::int32_t operator[](std::int64_t i) const {
        OPTGAP_ASSERT(i >= 0 && i < count);
        return data[i];
    }
};

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

/// An answer block, decoded. The values come from the model: any int32.
struct answer_view {
    std::int32_t const* values = nullptr;
    std::int64_t count = 0;                     ///< of values
    std::int32_t const* row_lengths = nullptr;  ///< of row_count() rows
    std::int32_t rows = answer_flat;            ///< number of rows, answer_flat or answer_word

    [[nodiscard]] OPTGAP_HD bool is_flat() const { return rows == answer_flat; }
    [[nodiscard]] OPTGAP_HD bool is_word() const { return rows == answer_word; }
    /// The empty list also counts as a list of no rows.
    [[nodiscard]] OPTGAP_HD bool is_rows() const { return rows >= 0 || (rows == answer_flat && count == 0); }
    [[nodiscard]] OPTGAP_HD std::int32_t row_count() const { return rows > 0 ? rows : 0; }
};

/// Each pointer is the block's pointer plus a number. If a branch chose between pointers, nvcc would not see that all
/// are in global memory, and every load of an answer would look up its address space.
OPTGAP_HD inline answer_view view_answer(words_view block) {
    std::int32_t const shape = block.count == 0 ? answer_flat : block[0];
    std::int64_t const lengths_at = block.count == 0 ? 0 : 1;
    std::int64_t const values_at = lengths_at + (shape < 0 ? 0 : shape);
    return {block.data + values_at, block.count - values_at, block.data + lengths_at, shape};
}

OPTGAP_KERNELS_END
