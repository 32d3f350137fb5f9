#pragma once
// Functions of NVIDIA's driver, found by name at run time: nothing links the driver, and an older one lacks some of
// them. They do not change the runtime's last error, which other code reads too.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace optgap {

/// Returns nullptr where the driver lacks the function. `version` is the CUDA version of the wanted form, such as
/// 12000.
template <class Function>
Function* driver_function(char const* name, [[maybe_unused]] unsigned version) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    cudaError_t const asked = cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
#else
    cudaError_t const asked = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    return asked == cudaSuccess ? reinterpret_cast<Function*>(found) : nullptr;
}

/// Whether this process has a context on a GPU. This query makes none; cudaSetDevice would.
inline bool has_context(int device) {
    static auto* const ask =
        driver_function<CUresult(CUdevice device, unsigned* flags, int* active)>("cuDevicePrimaryCtxGetState", 12000);
    unsigned flags = 0;
    int active = 0;
    return ask != nullptr && ask(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

/// Whether the work that an event marks has ended; false where only a wait could tell.
inline bool has_ended(cudaEvent_t event) {
    static auto* const ask = driver_function<CUresult(CUevent event)>("cuEventQuery", 12000);
    return ask != nullptr && ask(event) == CUDA_SUCCESS;
}

}  // namespace optgap

#endif
