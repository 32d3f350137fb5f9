#pragma once
// Functions of NVIDIA's driver, found by name at run time: nothing links it, and an older one lacks some of them. They
// leave the runtime's last error as it is, which belongs to others too.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace optgap {

/// nullptr where the driver lacks it. `version` is the CUDA whose form of it is meant, such as 12000.
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

/// Whether this process has a context on a GPU. Asking the driver makes none; cudaSetDevice would.
inline bool has_context(int device) {
    static auto* const ask =
        driver_function<CUresult(CUdevice device, unsigned* flags, int* active)>("cuDevicePrimaryCtxGetState", 12000);
    unsigned flags = 0;
    int active = 0;
    return ask != nullptr && ask(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

/// Whether what an event stands for has ended; false where nobody can tell without a wait.
inline bool has_ended(cudaEvent_t event) {
    static auto* const ask = driver_function<CUresult(CUevent event)>("cuEventQuery", 12000);
    return ask != nullptr && ask(event) == CUDA_SUCCESS;
}

}  // namespace optgap

#endif
