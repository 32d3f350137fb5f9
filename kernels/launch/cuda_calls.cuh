#pragma once
// Loads and launches kernels.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN

/// Makes the driver load the kernels, and allows each of them all the shared memory there is. The attribute belongs to
/// the function: engines that set it to what each needs would overwrite each other's.
inline cudaError_t load_kernels(std::initializer_list<void const*> kernels) {
    int device = 0;
    int most = 0;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess) {
        result = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    for (void const* const kernel : kernels) {
        cudaFuncAttributes known{};
        result = result != cudaSuccess ? result : cudaFuncGetAttributes(&known, kernel);
        result = result != cudaSuccess ? result
                                       : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                              most - int(known.sharedSizeBytes));
    }
    return result;
}

struct launch_size {
    std::int64_t blocks;
    std::int64_t threads;       ///< of a block
    std::int64_t shared_bytes;  ///< of a block, dynamic
    cudaStream_t stream;
};

/// Queues a kernel and returns the error, if any. <<<…>>> reports errors only by cudaGetLastError, which also returns,
/// and clears, earlier errors of other code on this thread.
template <class... Parameters>
cudaError_t launch_kernel(void (*kernel)(Parameters...), launch_size const& size,
                          std::type_identity_t<Parameters>... arguments) {
    void* values[] = {&arguments...};
    return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(unsigned(size.blocks)),
                            dim3(unsigned(size.threads)), values, std::size_t(size.shared_bytes), size.stream);
}

OPTGAP_KERNELS_END
