// An engine beside a trainer on one GPU: memory released and taken again, concurrent callers, forked children.

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/child.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class cuda_colocation : public on_cuda {
protected:
    void SetUp() override {
        on_cuda::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) {
            engine_ = engine({.where = device::cuda, .threads = 1, .device_memory = 8 << 20});
        }
    }

    engine engine_{{.where = device::cpu, .threads = 1}};
};

TEST_F(cuda_colocation, every_verb_gives_the_cpu_s_bytes_before_between_and_after_release_and_resume) {
    for (engine_verb const& verb : engine_verbs()) {
        verb_outcome const expected = verb.run(cpu_engine());
        EXPECT_EQ(verb.run(engine_), expected) << verb.name;
        engine_.release();
        EXPECT_EQ(engine_.where(), device::cpu);
        EXPECT_EQ(verb.run(engine_), expected) << verb.name << " while released";
        engine_.release();
        engine_.resume();
        EXPECT_EQ(engine_.where(), device::cuda);
        EXPECT_EQ(verb.run(engine_), expected) << verb.name << " after resume";
        engine_.resume();
    }
    device_statistics const all = engine_.device_status();
    EXPECT_EQ(all.fallbacks, 0) << all.last_reason;
    EXPECT_GT(all.device_calls, 0);
    EXPECT_GT(all.released_calls, 0);
    EXPECT_EQ(all.device.rfind("cuda: ", 0), 0u) << all.device;
}

TEST_F(cuda_colocation, release_and_resume_beside_calls_lose_no_byte) {
    std::vector<verb_outcome> expected;
    for (engine_verb const& verb : engine_verbs()) {
        expected.push_back(verb.run(cpu_engine()));
    }
    std::atomic<std::int64_t> wrong{0};
    std::vector<std::jthread> callers;
    for (std::size_t caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&, caller] {
            for (std::size_t round = 0; round < 12; ++round) {
                std::size_t const v = (caller + round) % expected.size();
                wrong += engine_verbs()[v].run(engine_) == expected[v] ? 0 : 1;
            }
        });
    }
    std::jthread const disturber([&](std::stop_token stop) {
        while (!stop.stop_requested()) {
            engine_.release();
            std::this_thread::yield();
            engine_.resume();
        }
    });
    callers.clear();
    EXPECT_EQ(wrong, 0);
}

TEST_F(cuda_colocation, few_multiprocessors_and_short_launches_change_no_byte) {
    engine const modest({.where = device::cuda,
                         .threads = 1,
                         .device_memory = 1 << 20,
                         .launch_microseconds = 1,
                         .multiprocessors = 1});
    for (int round = 0; round < 3; ++round) {
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(modest), verb.run(engine_)) << verb.name;
        }
    }
}

TEST_F(cuda_colocation, a_forked_child_runs_on_the_cpu_and_leaves_the_parent_s_gpu_alone) {
    engine_verb const& verb = engine_verbs()[1];
    verb_outcome const expected = verb.run(engine_);
    EXPECT_EQ(exit_code_of_child([&] {
                  child_expects(verb.run(engine_) == expected);
                  child_expects(engine_.where() == device::cpu);
                  child_expects(engine_.device_status().state == device_state::forked);
                  child_expects(refuses_as_forked(
                      [] { engine const none({.where = device::cuda, .threads = 1, .device_memory = 1 << 20}); }));
                  { engine const gone = std::move(engine_); }
              }),
              0);
    EXPECT_EQ(verb.run(engine_), expected);
    EXPECT_EQ(engine_.where(), device::cuda);
}

TEST(colocation, without_a_gpu_release_and_resume_do_nothing) {
    engine by({.where = device::cpu, .threads = 1});
    by.release();
    by.resume();
    EXPECT_EQ(by.device_status().state, device_state::cpu);
    EXPECT_EQ(by.device_status().fallbacks, 0);
    EXPECT_EQ(to_json(by.device_status()),
              R"({"state":"cpu","device":"","device_calls":0,"fallbacks":0,"host_calls":0,"busy_calls":0,)"
              R"("released_calls":0,"out_of_memory":0,"unavailable":0,"failed":0,"policy":"","last_reason":""})");
}

}  // namespace
}  // namespace optgap::testing
