#pragma once
// Some of a card's multiprocessors for the engine alone: a green context of the driver, whose streams' kernels run on
// these and on no others (CUDA Driver API, "Green Contexts"; from CUDA 12.5 on, the first with streams for them).

#if __has_include(<cuda_runtime_api.h>)

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "host/cuda/cuda_driver.hpp"
#include "host/cuda/cuda_try.hpp"

namespace optgap {

/// Streams that it makes are destroyed before it.
class multiprocessor_share {
public:
    /// As many multiprocessors of the current device as it can set apart, but at most `most`; nullptr where driver or
    /// card cannot, or where `most` is too few.
    static std::unique_ptr<multiprocessor_share> of(int device, cudaDeviceProp const& card, int most) {
        std::unique_ptr<multiprocessor_share> made(new multiprocessor_share);
        return made->begin(device, card, most) ? std::move(made) : nullptr;
    }
    ~multiprocessor_share() {
        if (context_ != nullptr) {
            driver().destroy(context_);
        }
    }
    multiprocessor_share(multiprocessor_share const&) = delete;
    multiprocessor_share& operator=(multiprocessor_share const&) = delete;

    [[nodiscard]] int multiprocessors() const { return multiprocessors_; }
    /// Returns nullptr where the driver refuses.
    [[nodiscard]] cudaStream_t make_stream(int priority) const {
        CUstream made = nullptr;
        return driver().stream(&made, context_, CU_STREAM_NON_BLOCKING, priority) == CUDA_SUCCESS ? made : nullptr;
    }

private:
    struct functions {
        CUresult (*resource)(CUdevice, CUdevResource*, CUdevResourceType);
        CUresult (*split)(CUdevResource* groups, unsigned* count, CUdevResource const* of, CUdevResource* rest,
                          unsigned flags, unsigned least);
        CUresult (*describe)(CUdevResourceDesc*, CUdevResource*, unsigned count);
        CUresult (*create)(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned flags);
        CUresult (*destroy)(CUgreenCtx);
        CUresult (*stream)(CUstream*, CUgreenCtx, unsigned flags, int priority);

        [[nodiscard]] bool all() const {
            return resource != nullptr && split != nullptr && describe != nullptr && create != nullptr &&
                   destroy != nullptr && stream != nullptr;
        }
    };

    multiprocessor_share() = default;

    static functions const& driver() {
        constexpr unsigned version = 12050;
        static functions const found{
            driver_function<std::remove_pointer_t<decltype(functions::resource)>>("cuDeviceGetDevResource", version),
            driver_function<std::remove_pointer_t<decltype(functions::split)>>("cuDevSmResourceSplitByCount", version),
            driver_function<std::remove_pointer_t<decltype(functions::describe)>>("cuDevResourceGenerateDesc", version),
            driver_function<std::remove_pointer_t<decltype(functions::create)>>("cuGreenCtxCreate", version),
            driver_function<std::remove_pointer_t<decltype(functions::destroy)>>("cuGreenCtxDestroy", version),
            driver_function<std::remove_pointer_t<decltype(functions::stream)>>("cuGreenCtxStreamCreate", version)};
        return found;
    }

    bool begin(int device, cudaDeviceProp const& card, int most) {
        // The driver's guideline: 4 and a multiple of 2 on 8.x, 8 and a multiple of 8 from 9.0 on; it rounds up.
        int const step = card.major < 9 ? 2 : 8;
        int const wanted = most / step * step;
        if (wanted < std::max(step, 4) || !driver().all()) {
            return false;
        }
        CUdevResource whole{}, part{}, rest{};
        unsigned groups = 1;
        CUdevResourceDesc described = nullptr;
        bool const made = driver().resource(device, &whole, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS &&
                          driver().split(&part, &groups, &whole, &rest, 0, unsigned(wanted)) == CUDA_SUCCESS &&
                          groups == 1 && int(part.sm.smCount) <= most &&
                          driver().describe(&described, &part, 1) == CUDA_SUCCESS &&
                          driver().create(&context_, described, device, CU_GREEN_CTX_DEFAULT_STREAM) == CUDA_SUCCESS;
        multiprocessors_ = int(part.sm.smCount);
        return made && takes_events();
    }
    /// The executor's events are of the device's own context. The documentation lets an event be recorded only on a
    /// stream of its own context, and does not say which context a share's stream has; therefore one is tried.
    [[nodiscard]] bool takes_events() const {
        cudaStream_t const stream = make_stream(0);
        cudaEvent_t event = nullptr;
        cudaError_t result =
            stream == nullptr ? cudaErrorNotSupported : cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        bool const created = result == cudaSuccess;
        result = created ? cudaEventRecord(event, stream) : result;
        result = result == cudaSuccess ? cudaEventSynchronize(event) : result;
        if (result != cudaSuccess && stream != nullptr) {
            static_cast<void>(cudaGetLastError());  // of these calls, which no other code may see
        }
        if (created) {
            cudaEventDestroy(event);
        }
        if (stream != nullptr) {
            cudaStreamDestroy(stream);
        }
        return result == cudaSuccess;
    }

    CUgreenCtx context_ = nullptr;
    int multiprocessors_ = 0;
};

}  // namespace optgap

#endif
