// A kernel that really faults, in a process of its own: the context that it ends is never used again.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/cuda_device.hpp"
#include "tests/support/engine_verbs.hpp"

namespace optgap::testing {
namespace {

__global__ void write_nowhere_kernel(int* nowhere) { *nowhere = 1; }

/// Exits the process: with code 0 when all went well, else with the number of the failed expectation, and a sentence.
class faulting_process {
public:
    [[noreturn]] static void run() {
        engine by({.where = device::cuda, .threads = 1, .device_memory = 8 << 20});
        engine_verb const& verb = engine_verbs()[1];
        verb_outcome const before = verb.run(by);
        expect(1, by.device_status().fallbacks == 0, "the first call did not run on the GPU");

        write_nowhere_kernel<<<1, 1>>>(reinterpret_cast<int*>(64));
        expect(8, cudaDeviceSynchronize() != cudaSuccess, "the kernel did not fault");
        expect(2, verb.run(by) == before, "the batch that met the fault has other bytes");
        device_statistics const now = by.device_status();
        expect(3, now.state == device_state::failed && now.failed == 1 && now.fallbacks == 1, to_json(now));
        expect(4, tells(by, verb, by_name(now.device)), "the next call did not tell the fault");
        expect(5, verb.run(by) == before, "the CPU's bytes differ after the fault was told");
        by.release();
        by.resume();
        expect(6, verb.run(by) == before && by.where() == device::cpu, "release and resume brought a dead GPU back");
        bool refused = false;
        try {
            engine const second({.where = device::cuda, .threads = 1});
        } catch (error const& problem) {
            refused = problem.code() == status::device_unavailable;
        }
        expect(7, refused, "a second engine started in a dead context");
        std::exit(0);
    }

private:
    static void expect(int number, bool holds, std::string const& sentence) {
        if (!holds) {
            std::fprintf(stderr, "%s\n", sentence.c_str());
            std::exit(number);
        }
    }
    static std::string by_name(std::string const& device) { return device.substr(0, device.find(',')); }
    static bool tells(engine const& by, engine_verb const& verb, std::string const& name) {
        try {
            static_cast<void>(verb.run(by));
        } catch (error const& problem) {
            return problem.code() == status::device_failed && std::string(problem.what()).find(name) == 0;
        }
        return false;
    }
};

class cuda_fault : public on_cuda {};

TEST_F(cuda_fault, a_faulting_kernel_leaves_the_batch_to_the_cpu_and_is_told_once) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process: CUDA does not outlive a fork
    EXPECT_EXIT(faulting_process::run(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace optgap::testing
