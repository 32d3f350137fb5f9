// Compares kernels/launch/library_rows.hpp's statements about CUB with CUB on the GPU.

#include "host/cuda/cuda_try.hpp"
#include "kernels/launch/library_rows.hpp"
#include "kernels/launch/row_lists.cuh"
#include "tests/support/cuda_device.hpp"

namespace optgap::testing {
namespace {

class cuda_library_kernels : public on_cuda {
protected:
    static std::int64_t sort_bytes(std::int32_t rows) {
        std::int64_t bytes = 0;
        OPTGAP_CUDA_TRY(row_sort_temporary_bytes(rows, 40, bytes));
        return bytes;
    }
};

/// Judges by the memory that a sort requests: a single block needs none.
TEST_F(cuda_library_kernels, one_block_sorts_as_many_rows_as_the_loading_takes_it_to) {
    EXPECT_EQ(sort_bytes(library_rows[1]), sort_bytes(1));
    EXPECT_EQ(sort_bytes(max_rows_of_one_block), sort_bytes(1))
        << "CUB has other kernels for fewer rows than before: set max_rows_of_one_block";
    EXPECT_GT(sort_bytes(max_rows_of_one_block + 1), sort_bytes(1))
        << "CUB's one block sorts more rows than before: set max_rows_of_one_block, and library_rows above it";
    EXPECT_GT(sort_bytes(library_rows[0]), sort_bytes(1));
}

}  // namespace
}  // namespace optgap::testing
