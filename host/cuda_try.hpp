#pragma once
// OPTGAP_CUDA_TRY(call): every CUDA runtime call outside kernels/ goes through here and throws `error` when it fails.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>

#include <string>

#include "optgap/status.hpp"

namespace optgap {

/// out_of_memory and device_unavailable leave the process's context usable: the work can move to the CPU. After
/// device_failed nothing on the device can be trusted, and every later call fails too.
inline status status_of(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation: return status::out_of_memory;
        case cudaErrorInsufficientDriver:
        case cudaErrorNoDevice:
        case cudaErrorInvalidDevice:
        case cudaErrorDevicesUnavailable:
        case cudaErrorStubLibrary:
        case cudaErrorSystemDriverMismatch:
        case cudaErrorCompatNotSupportedOnDevice:
        case cudaErrorInitializationError:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorInvalidConfiguration: return status::device_unavailable;
        default: return status::device_failed;
    }
}

inline void throw_on_cuda_error(cudaError_t code, char const* call) {
    if (code != cudaSuccess) {
        static_cast<void>(cudaGetLastError());  // else the next launch reports a recoverable error again
        throw error(status_of(code), std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
                                         ") from " + call);
    }
}

}  // namespace optgap

#define OPTGAP_CUDA_TRY(call) ::optgap::throw_on_cuda_error((call), #call)

#endif
