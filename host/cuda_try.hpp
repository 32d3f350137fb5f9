#pragma once
// OPTGAP_CUDA_TRY(call): every CUDA runtime call outside kernels/ goes through here and throws `error` when it fails.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>

#include <string>

#include "optgap/status.hpp"

namespace optgap {

/// Whether the process's CUDA context survives the error, so that later calls may still use the device.
inline bool leaves_context_usable(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidValue:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
            return true;
        default:
            return false;
    }
}

inline status status_of(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation:
            return status::out_of_memory;
        case cudaErrorInsufficientDriver:
        case cudaErrorNoDevice:
        case cudaErrorInvalidDevice:
        case cudaErrorDevicesUnavailable:
        case cudaErrorStubLibrary:
        case cudaErrorSystemDriverMismatch:
        case cudaErrorCompatNotSupportedOnDevice:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
        case cudaErrorInitializationError:
            return status::device_unavailable;
        default:
            return status::device_failed;
    }
}

inline void throw_on_cuda_error(cudaError_t code, char const* call) {
    if (code != cudaSuccess) {
        cudaGetLastError();  // a recoverable error would otherwise be reported again by the next launch
        throw error(status_of(code), std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
                                         ") from " + call);
    }
}

}  // namespace optgap

#define OPTGAP_CUDA_TRY(call) ::optgap::throw_on_cuda_error((call), #call)

#endif
