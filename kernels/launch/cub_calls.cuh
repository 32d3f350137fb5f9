#pragma once
// The only calls of CUB in the project. CUB ends a call by cudaPeekAtLastError, which also reports earlier errors of
// other code on this thread: see apart_from_pending_error.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "kernels/launch/pending_error.cuh"

namespace optgap {

/// Sorts pairs by the first `bits` bits of their keys, stably. If `temporary` is null, sets `bytes` to the size it
/// needs.
inline cudaError_t cub_sort_pairs(void* temporary, std::size_t& bytes, std::int32_t const* key,
                                  std::int32_t* sorted_key, std::int32_t const* value, std::int32_t* sorted_value,
                                  std::int32_t count, int bits, cudaStream_t stream) {
    return apart_from_pending_error(stream, [&] {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, key, sorted_key, value, sorted_value, count, 0, bits,
                                               stream);
    });
}

/// Selects those of `items` for which `chosen` returns true, in their order, and counts them.
template <class Items, class Chosen>
cudaError_t cub_select(void* temporary, std::size_t& bytes, Items items, std::int32_t* out, std::int32_t* out_count,
                       std::int32_t count, Chosen chosen, cudaStream_t stream) {
    return apart_from_pending_error(
        stream, [&] { return cub::DeviceSelect::If(temporary, bytes, items, out, out_count, count, chosen, stream); });
}

/// out[k] = in[0] + … + in[k].
inline cudaError_t cub_running_sums(void* temporary, std::size_t& bytes, std::int64_t const* in, std::int64_t* out,
                                    std::int64_t count, cudaStream_t stream) {
    return apart_from_pending_error(
        stream, [&] { return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, count, stream); });
}

}  // namespace optgap
