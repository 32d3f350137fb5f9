#pragma once
// OPTGAP_CUDA_TRY(call): every CUDA runtime call outside kernels/ goes through here and throws `error` when it fails.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>

#include <string>

#include "optgap/status.hpp"

namespace optgap {

/// device_failed: the fault has ended the process's context, and every later call fails too (CUDA runtime API,
/// driver_types.h: "any further CUDA work will return the same error"). Everything else leaves the context usable, so
/// the work can move to the CPU and the next call can try again.
inline status status_of(cudaError_t code) {
    constexpr int contained = 226;  // CUDA 12.4 has no names for these three
    constexpr int tensor_memory_leak = 721;
    constexpr int external_device = 911;
    switch (int(code)) {
        case cudaErrorMemoryAllocation: return status::out_of_memory;
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorMpsClientTerminated:
        case cudaErrorContextIsDestroyed:
        case cudaErrorCudartUnloading:
        case contained:
        case tensor_memory_leak:
        case external_device: return status::device_failed;
        default: return status::device_unavailable;
    }
}

inline void throw_on_cuda_error(cudaError_t code, char const* call) {
    if (code != cudaSuccess) {
        static_cast<void>(cudaGetLastError());  // else the next launch reports a recoverable error again
        bool const forked = code == cudaErrorInitializationError;  // the error in the child of a process with CUDA
        throw error(status_of(code),
                    std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ") from " +
                        call + (forked ? "; start a process with spawn or exec, not fork, where CUDA runs" : ""));
    }
}

}  // namespace optgap

#define OPTGAP_CUDA_TRY(call) ::optgap::throw_on_cuda_error((call), #call)

#endif
