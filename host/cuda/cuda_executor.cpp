#include "host/cuda/cuda_executor.cuh"

#include <memory>
#include <string>

#include "host/cuda/cuda_try.hpp"
#include "kernels/reward/ranks.cuh"
#include "kernels/reward/reward.cuh"

namespace optgap {

namespace {

constexpr int oldest_major = 8;  // compute capability 8.0: the reduce instructions warp_team uses
/// The oldest driver for any CUDA of this build's major version (CUDA Compatibility, NVIDIA).
constexpr char const* oldest_driver = CUDART_VERSION >= 13000 ? "580" : "525";

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::unique_ptr<executor> make_cuda_executor(cuda_options& options, std::string& why) {
    try {
        int driver = 0;
        OPTGAP_CUDA_TRY(cudaDriverGetVersion(&driver));
        if (driver == 0) {
            why = "no NVIDIA driver is installed";
            return nullptr;
        }
        if (driver / 1000 < CUDART_VERSION / 1000) {
            why = "the NVIDIA driver here runs CUDA " + version_text(driver) + " at most, and this build is of CUDA " +
                  version_text(CUDART_VERSION) + ", which needs driver " + oldest_driver +
                  " or newer; update the driver, or build with an older CUDA";
            return nullptr;
        }
        int devices = 0;
        OPTGAP_CUDA_TRY(cudaGetDeviceCount(&devices));
        if (devices == 0 || options.ordinal >= devices) {
            why = devices == 0 ? "no CUDA device is visible"
                               : "there is no GPU " + std::to_string(options.ordinal) + ", only 0 to " +
                                     std::to_string(devices - 1);
            return nullptr;
        }
        if (options.ordinal < 0) {
            OPTGAP_CUDA_TRY(cudaGetDevice(&options.ordinal));
        }
        cudaDeviceProp card{};
        OPTGAP_CUDA_TRY(cudaGetDeviceProperties(&card, options.ordinal));
        if (card.major < oldest_major) {
            why = std::string(card.name) + " has compute capability " + std::to_string(card.major) + "." +
                  std::to_string(card.minor) + "; 8.0 or newer is needed";
            return nullptr;
        }
        if (options.memory_limit < smallest_memory_limit) {
            why = "a memory limit of " + std::to_string(options.memory_limit) + " bytes is too small; the least is " +
                  std::to_string(smallest_memory_limit);
            return nullptr;
        }
        device_scope const here(options.ordinal);
        OPTGAP_CUDA_TRY(load_reward_kernels());
        OPTGAP_CUDA_TRY(load_ranks_kernel());
        auto pinned = std::static_pointer_cast<pinned_memory>(options.kept);
        if (!pinned) {
            pinned = std::make_shared<pinned_memory>(options.ordinal, cuda_device::pinned_bytes(options.memory_limit));
        }
        auto made = std::make_unique<cuda_executor>(options, card, pinned);
        made->load_library_kernels();
        options.kept = pinned;
        return made;
    } catch (error const& failure) {
        why = failure.what();
        return nullptr;
    }
}

}  // namespace optgap
