#pragma once
// Instances and answers are blocks of int32 words. An instance's layout belongs to its task, an answer's is one for all
// (optgap/answer.hpp).

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

/// An answer block, taken apart. Values are the model's: any int32.
struct answer_view {
    std::int32_t const* values = nullptr;
    std::int64_t count = 0;  ///< of values
    std::int32_t const* row_lengths = nullptr;
    std::int32_t rows = answer_flat;  ///< number of rows, answer_flat or answer_word

    [[nodiscard]] OPTGAP_HD bool is_flat() const { return rows == answer_flat; }
    [[nodiscard]] OPTGAP_HD bool is_word() const { return rows == answer_word; }
    /// The empty list is a list of no rows as well.
    [[nodiscard]] OPTGAP_HD bool is_rows() const { return rows >= 0 || (rows == answer_flat && count == 0); }
    [[nodiscard]] OPTGAP_HD std::int32_t row_count() const { return rows > 0 ? rows : 0; }
};

OPTGAP_HD inline answer_view view_answer(words_view block) {
    if (block.count == 0) {
        return {};
    }
    std::int32_t const shape = block[0];
    if (shape < 0) {
        return {block.data + 1, block.count - 1, nullptr, shape};
    }
    return {block.data + 1 + shape, block.count - 1 - shape, block.data + 1, shape};
}

OPTGAP_KERNELS_END
