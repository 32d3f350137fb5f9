// The driver functions that the executor looks up by name: contexts, events, and shares of the multiprocessors.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string_view>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_state.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::fake {

namespace {

CUresult told(cudaError_t result) { return result == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN; }

CUresult primary_context_state(CUdevice device, unsigned* flags, int* active) {
    std::lock_guard const lock(now().lock);
    *flags = 0;
    *active = now().contexts.count(device) != 0 ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult event_query(CUevent event) {
    return unsafe() == cudaSuccess && ended(event) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult device_resource(CUdevice, CUdevResource* out, CUdevResourceType) {
    *out = CUdevResource{};
    out->type = CU_DEV_RESOURCE_TYPE_SM;
    std::lock_guard const lock(now().lock);
    out->sm.smCount = unsigned(now().multiprocessors);
    return CUDA_SUCCESS;
}
CUresult split(CUdevResource* groups, unsigned* count, CUdevResource const* of, CUdevResource* rest, unsigned,
               unsigned least) {
    unsigned const taken = (least + 7) / 8 * 8;
    *count = taken <= of->sm.smCount ? 1 : 0;
    *groups = *rest = *of;
    groups->sm.smCount = taken;
    rest->sm.smCount = of->sm.smCount - taken;
    return told(called("cuDevSmResourceSplitByCount"));
}
/// A descriptor or a share, as a number of multiprocessors.
struct described {
    int multiprocessors;
};
CUresult describe(CUdevResourceDesc* out, CUdevResource* resources, unsigned) {
    static std::map<unsigned, described> kept;
    std::lock_guard const lock(now().lock);
    described& one = kept[resources->sm.smCount];
    one.multiprocessors = int(resources->sm.smCount);
    *out = reinterpret_cast<CUdevResourceDesc>(&one);
    return CUDA_SUCCESS;
}
CUresult create(CUgreenCtx* out, CUdevResourceDesc of, CUdevice, unsigned) {
    cudaError_t const result = called("cuGreenCtxCreate");
    if (result == cudaSuccess) {
        *out = reinterpret_cast<CUgreenCtx>(new described(*reinterpret_cast<described*>(of)));
        count_handle(1);
    }
    return told(result);
}
CUresult destroy(CUgreenCtx share) {
    delete reinterpret_cast<described*>(share);
    count_handle(-1);
    return CUDA_SUCCESS;
}
CUresult stream_of(CUstream* out, CUgreenCtx share, unsigned, int priority) {
    cudaError_t const result = cudaStreamCreateWithPriority(out, cudaStreamNonBlocking, priority);
    if (result == cudaSuccess) {
        std::lock_guard const lock(now().lock);
        now().shares[*out] = reinterpret_cast<described*>(share)->multiprocessors;
    }
    return told(result);
}

struct known_function {
    std::string_view name;
    void* function;
};

}  // namespace

int multiprocessors_of(cudaStream_t stream) {
    std::lock_guard const lock(now().lock);
    auto const found = now().shares.find(stream);
    return found == now().shares.end() ? now().multiprocessors : found->second;
}

cudaError_t find_in_driver(char const* name, void** function) {
    known_function const known[] = {{"cuDevicePrimaryCtxGetState", reinterpret_cast<void*>(&primary_context_state)},
                                    {"cuEventQuery", reinterpret_cast<void*>(&event_query)},
                                    {"cuDeviceGetDevResource", reinterpret_cast<void*>(&device_resource)},
                                    {"cuDevSmResourceSplitByCount", reinterpret_cast<void*>(&split)},
                                    {"cuDevResourceGenerateDesc", reinterpret_cast<void*>(&describe)},
                                    {"cuGreenCtxCreate", reinterpret_cast<void*>(&create)},
                                    {"cuGreenCtxDestroy", reinterpret_cast<void*>(&destroy)},
                                    {"cuGreenCtxStreamCreate", reinterpret_cast<void*>(&stream_of)}};
    *function = nullptr;
    for (known_function const& one : known) {
        *function = one.name == name ? one.function : *function;
    }
    return cudaSuccess;
}

}  // namespace optgap::fake
