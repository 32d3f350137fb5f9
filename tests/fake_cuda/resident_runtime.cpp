// The stand-in as the runtime of tests/resident: it counts calls, and the host cannot touch its device memory.

#include "tests/resident/runtime.hpp"

#include <gtest/gtest.h>

#include "tests/fake_cuda/fake_graphs.hpp"
#include "tests/fake_cuda/fake_memory.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::testing::runtime {

std::string start() {
    fake::heal();
    fake::guard_device_memory(true);
    static_cast<void>(fake::complaints());
    return {};
}

void finish() {
    fake::heal();
    fake::forget_stream_wait(-1);
    fake::set_schedule(1);
    fake::guard_device_memory(false);
    EXPECT_EQ(fake::alive(), 0);
}

void set_order(std::uint64_t seed) { fake::set_schedule(seed); }

std::vector<std::string> complaints() { return fake::complaints(); }

void expect_nothing_waits(cudaStream_t stream, std::function<void()> const& calls) {
    fake::forget_calls();
    calls();
    for (char const* const name : {"cudaEventSynchronize", "cudaStreamSynchronize", "cudaDeviceSynchronize",
                                   "cudaMalloc", "cudaFree", "cudaMallocFromPoolAsync", "cudaFreeAsync",
                                   "cudaHostAlloc", "cudaStreamCreateWithPriority", "cudaFuncGetAttributes"}) {
        EXPECT_EQ(fake::calls()[name], 0) << name;
    }
    for (cudaStream_t const used : fake::streams()) {  // the end of a capture requires the same of its streams
        EXPECT_TRUE(fake::captures(stream) || fake::is_behind(stream, used))
            << "work that the stream does not wait for";
    }
}

bool counts_calls() { return true; }
std::int64_t calls(char const* name) { return fake::calls()[name]; }
std::int64_t all_calls() { return fake::all_calls(); }
void forget_calls() { fake::forget_calls(); }

cudaError_t leave_error() {
    fake::leave_error(cudaErrorInvalidValue);
    return cudaErrorInvalidValue;
}

void begin_foreign_capture() { fake::begin_capture(); }
bool end_foreign_capture() { return fake::end_capture(); }

}  // namespace optgap::testing::runtime
