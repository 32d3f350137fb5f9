// The CUDA executor of a build without CUDA.

#include "host/executor/executor.hpp"

namespace optgap {

std::unique_ptr<executor> make_cuda_executor(cuda_options& /*options*/, std::string& why) {
    why = "this build has no CUDA support; configure with OPTGAP_CUDA=ON on a machine with nvcc 12.4 or newer";
    return nullptr;
}

}  // namespace optgap
