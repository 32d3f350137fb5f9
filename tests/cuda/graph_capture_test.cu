// Engines beside a thread that captures a CUDA graph in the default mode, as vLLM and torch.compile do: a call that the
// capture forbids would end it.

#include <cuda_runtime_api.h>

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "tests/support/cuda_device.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class cuda_graph_capture : public on_cuda {};

TEST_F(cuda_graph_capture, outlives_an_engine_s_making_calls_release_and_end) {
    std::barrier<> meet(2);
    std::jthread const trainer([&] {
        void* memory = nullptr;
        cudaStream_t stream = nullptr;
        EXPECT_EQ(cudaMalloc(&memory, 1 << 20), cudaSuccess);
        EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(memory, 0, 1 << 20, stream), cudaSuccess);
        meet.arrive_and_wait();
        meet.arrive_and_wait();
        EXPECT_EQ(cudaMemsetAsync(memory, 1, 1 << 20, stream), cudaSuccess);
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        EXPECT_NE(graph, nullptr);
        cudaGraphDestroy(graph);
        cudaStreamDestroy(stream);
        cudaFree(memory);
    });
    meet.arrive_and_wait();
    {
        engine by({.where = device::cuda, .threads = 1, .device_memory = 8 << 20});
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
        }
        by.release();
        by.resume();
        EXPECT_EQ(engine_verbs()[0].run(by), engine_verbs()[0].run(cpu_engine()));
        EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
        EXPECT_EQ(by.where(), device::cuda) << by.device_status().last_reason;
    }
    meet.arrive_and_wait();
}

}  // namespace
}  // namespace optgap::testing
