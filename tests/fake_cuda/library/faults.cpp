// The stand-in for the CUDA runtime inside of a library: OPTGAP_FAKE_FAULT_AFTER=N ends the context after N more calls.

#include <cstdlib>

#include "tests/fake_cuda/fake_runtime.hpp"

namespace {

[[maybe_unused]] bool const planned = [] {
    char const* const calls = std::getenv("OPTGAP_FAKE_FAULT_AFTER");
    if (calls != nullptr && *calls != '\0') {
        optgap::fake::fail_after(std::atoll(calls), cudaErrorLaunchFailure);
    }
    return true;
}();

}  // namespace
