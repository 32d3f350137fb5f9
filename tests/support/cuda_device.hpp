#pragma once
// The one place that decides whether a GPU test runs: skipped without a GPU, failed instead when OPTGAP_REQUIRE=cuda.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "host/cpu/cpu_pool.hpp"
#include "host/executor/executor.hpp"

namespace optgap::testing {

/// Skips or fails the test. Call it last in SetUp.
inline void without_gpu(std::string const& why) {
    char const* const required = std::getenv("OPTGAP_REQUIRE");
    if (required != nullptr && std::string_view(required) == "cuda") {
        FAIL() << "OPTGAP_REQUIRE=cuda, but: " << why;
    }
    GTEST_SKIP() << "SKIPPED, no GPU: " << why;
}

/// Both executors. A test with this fixture runs only on a machine with a GPU.
class on_cuda : public ::testing::Test {
protected:
    static constexpr std::int64_t roomy = std::int64_t(256) << 20;
    static constexpr std::int64_t little = std::int64_t(1)
                                           << 20;  ///< of which the largest row of a named level needs 0.9
    static constexpr std::int64_t tiny = std::int64_t(128) << 10;

    void SetUp() override {
        std::string why;
        cuda_options options{.memory_limit = roomy};
        gpu_ = make_cuda_executor(options, why);
        if (!gpu_) {
            without_gpu(why);
        }
    }

    [[nodiscard]] executor& gpu() { return *gpu_; }
    [[nodiscard]] executor& cpu() { return *cpu_; }
    /// One more executor on the GPU, with its own memory limit.
    [[nodiscard]] static std::unique_ptr<executor> gpu_with(std::int64_t memory_limit, double launch_seconds = 1e-3) {
        std::string why;
        cuda_options options{.memory_limit = memory_limit, .launch_seconds = launch_seconds};
        std::unique_ptr<executor> made = make_cuda_executor(options, why);
        EXPECT_TRUE(made) << why;
        return made;
    }

private:
    std::unique_ptr<executor> gpu_;
    cpu_pool pool_{2};
    std::unique_ptr<executor> cpu_ = make_cpu_executor(pool_);
};

}  // namespace optgap::testing
