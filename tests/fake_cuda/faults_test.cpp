// Faults at every call that the executor makes, and what a trainer relies on meanwhile: memory, streams, forks. The
// runtime is the fake one; tests/cuda/fault_test.cu shows how a real GPU fails.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/support/child.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

constexpr cudaError_t recoverable[] = {cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration,
                                       cudaErrorInsufficientDriver, cudaErrorNoDevice};
constexpr cudaError_t fatal[] = {cudaErrorIllegalAddress, cudaErrorLaunchFailure};
/// Far above the calls of any verb here. A loop over call sites that reaches it would not end by itself.
constexpr std::int64_t too_many = 2000;

/// The call sites for the k-th of `codes` faults. The faults share the sites, so that all together cover every one;
/// under a sanitizer every third; in the long form each covers all.
struct site_range {
    std::int64_t first, step;
};
site_range sites_of(std::size_t k, std::size_t codes) {
    std::int64_t const apart = 3 / repeats(3);
    return long_form() ? site_range{0, 1} : site_range{std::int64_t(k) * apart, std::int64_t(codes) * apart};
}

class cuda_faults : public ::testing::Test {
protected:
    void SetUp() override { fake::heal(); }
    void TearDown() override {
        fake::heal();
        EXPECT_EQ(fake::alive(), 0) << "a block, stream or event was not given back";
    }
};

engine made(fallback on_fallback = fallback::proceed, device where = device::cuda) {
    return engine({.where = where, .threads = 1, .device_memory = 1 << 20, .on_fallback = on_fallback});
}

template <class Call>
error expect_error(status code, Call const& call) {
    try {
        call();
    } catch (error const& problem) {
        EXPECT_EQ(problem.code(), code) << problem.what();
        return problem;
    }
    ADD_FAILURE() << "nothing was thrown";
    return error(status::ok, "");
}

TEST_F(cuda_faults, a_recoverable_fault_at_any_call_leaves_the_batch_to_the_cpu_and_the_next_to_the_gpu) {
    engine const by = made();
    // A busy machine has more launches of fewer rows each, so their number is counted instead of fixed.
    std::int64_t out_of_memory = 0;
    std::int64_t others = 0;
    for (engine_verb const& verb : engine_verbs()) {
        verb_outcome const expected = verb.run(cpu_engine());
        ASSERT_EQ(verb.run(by), expected) << verb.name;
        for (std::size_t k = 0; k < std::size(recoverable); ++k) {
            cudaError_t const code = recoverable[k];
            site_range const sites = sites_of(k, std::size(recoverable));
            std::int64_t site = sites.first, met = 0;
            for (; site < too_many; site += sites.step, ++met) {
                std::int64_t const before = by.device_status().fallbacks;
                fake::fail_after(site, code);
                ASSERT_EQ(verb.run(by), expected) << verb.name << ", call " << site;
                device_statistics const now = by.device_status();
                ASSERT_EQ(now.state, device_state::ready);
                if (now.fallbacks == before) {
                    break;
                }
                ASSERT_EQ(now.fallbacks, before + 1);
                ASSERT_NE(now.last_reason.find("fake device"), std::string::npos) << now.last_reason;
            }
            fake::heal();
            (code == cudaErrorMemoryAllocation ? out_of_memory : others) += met;
            EXPECT_GT(met, 0) << verb.name << " met no fault";
            EXPECT_LT(site, too_many) << verb.name;
        }
    }
    device_statistics const all = by.device_status();
    EXPECT_EQ(all.fallbacks, all.out_of_memory + all.unavailable);
    EXPECT_EQ(all.out_of_memory, out_of_memory);
    EXPECT_EQ(all.unavailable, others);
}

TEST_F(cuda_faults, a_fatal_fault_at_any_call_finishes_the_batch_and_is_told_once) {
    for (engine_verb const& verb : engine_verbs()) {
        verb_outcome const expected = verb.run(cpu_engine());
        for (std::size_t k = 0; k < std::size(fatal); ++k) {
            site_range const sites = sites_of(k, std::size(fatal));
            std::int64_t site = sites.first;
            for (bool met = true; met && site < too_many; site += sites.step) {
                engine const by = made();
                fake::fail_after(site, fatal[k]);
                ASSERT_EQ(verb.run(by), expected) << verb.name << ", call " << site;
                met = by.device_status().failed > 0;
                if (met) {
                    ASSERT_EQ(by.device_status().state, device_state::failed);
                    ASSERT_EQ(by.where(), device::cpu);
                    error const told =
                        expect_error(status::device_failed, [&] { static_cast<void>(engine_verbs()[0].run(by)); });
                    ASSERT_NE(std::string(told.what()).find("fake device"), std::string::npos) << told.what();
                    ASSERT_EQ(verb.run(by), expected) << verb.name << " after the fault";
                }
                fake::heal();
            }
            EXPECT_GT(site, sites.first + sites.step) << verb.name << " met no fault";
            EXPECT_LT(site, too_many) << verb.name;
        }
    }
}

TEST_F(cuda_faults, on_fallback_error_throws_instead_and_names_the_device) {
    for (engine_verb const& verb : engine_verbs()) {
        verb_outcome const expected = verb.run(cpu_engine());
        engine const by = made(fallback::error);
        fake::fail_after(0, cudaErrorMemoryAllocation);
        error const one = expect_error(status::out_of_memory, [&] { static_cast<void>(verb.run(by)); });
        EXPECT_NE(std::string(one.what()).find("fake device"), std::string::npos) << one.what();
        EXPECT_EQ(verb.run(by), expected) << verb.name << " after a recoverable fault";
        fake::fail_after(3, cudaErrorIllegalAddress);
        expect_error(status::device_failed, [&] { static_cast<void>(verb.run(by)); });
        expect_error(status::device_failed, [&] { static_cast<void>(verb.run(by)); });
        EXPECT_EQ(by.device_status().fallbacks, 0);
        fake::heal();
    }
}

TEST_F(cuda_faults, a_fault_while_it_starts_is_an_error_or_an_engine_on_the_cpu) {
    fake::forget_calls();
    static_cast<void>(made());
    std::int64_t const calls = fake::all_calls();
    engine_verb const& verb = engine_verbs()[1];
    verb_outcome const expected = verb.run(cpu_engine());
    std::int64_t failed = 0;
    std::int64_t elsewhere = 0;
    for (std::int64_t site = 0; site < calls; ++site) {
        for (cudaError_t const code :
             {cudaErrorInsufficientDriver, cudaErrorMemoryAllocation, cudaErrorIllegalAddress}) {
            fake::fail_after(site, code);
            try {
                engine const by = made();
            } catch (error const& problem) {
                ++failed;
                ASSERT_EQ(problem.code(), status::device_unavailable) << problem.what();
                ASSERT_EQ(fake::alive(), 0) << "call " << site;
                fake::heal();
                fake::fail_after(site, code);
                // Timing decides whether the host sleeps for an event, which is a call. Another start may therefore
                // meet the fault one call later, where it does no harm, or not at all.
                engine const by = made(fallback::proceed, device::automatic);
                bool const started = by.where() == device::cuda;
                ASSERT_EQ(verb.run(by), expected);
                if (started) {
                    ++elsewhere;
                } else {
                    ASSERT_EQ(by.device_status().state, device_state::unavailable);
                    ASSERT_EQ(by.device_status().fallbacks, 1);
                    ASSERT_GT(by.device_status().last_reason.size(), 10u);
                }
                fake::heal();
                fake::fail_after(site, code);
                try {
                    static_cast<void>(made(fallback::error, device::automatic));
                    ++elsewhere;
                } catch (error const& told) {
                    ASSERT_EQ(told.code(), status::device_unavailable) << told.what();
                }
            }
            fake::heal();
        }
    }
    EXPECT_GT(failed, 3 * 20);
    EXPECT_LE(elsewhere, 3 * 6);
}

TEST_F(cuda_faults, nothing_is_allocated_given_back_or_waited_for_as_a_whole_in_the_hot_path) {
    engine const by = made();
    fake::forget_calls();
    for (int round = 0; round < 3; ++round) {
        for (engine_verb const& verb : engine_verbs()) {
            static_cast<void>(verb.run(by));
        }
    }
    std::map<std::string, std::int64_t> const calls = fake::calls();
    EXPECT_GT(calls.at("launch"), 0);
    for (auto const& [name, count] : calls) {
        EXPECT_FALSE(std::regex_search(
            name,
            std::regex("Malloc|Free|HostAlloc|DeviceSynchronize|StreamSynchronize|Create|Destroy|GetDeviceProperties")))
            << name << ": " << count;
    }
    EXPECT_EQ(by.device_status().fallbacks, 0);
}

TEST_F(cuda_faults, a_long_search_is_many_launches_and_with_time_enough_few) {
    instance_batch const batch = instances_of(cpu_engine().task_index("bisection"), difficulty::hard(), 1);
    csr_words const start = cpu_engine().greedy(batch.view());
    constexpr std::int64_t steps = 50;
    auto const launches = [&](std::int32_t microseconds) {
        engine const by(
            {.where = device::cuda, .threads = 1, .device_memory = 1 << 20, .launch_microseconds = microseconds});
        std::int64_t counted = 0;
        for (int call = 0; call < 2; ++call) {
            fake::forget_calls();
            EXPECT_EQ(by.improve(batch.view(), start.view(), steps).answers,
                      cpu_engine().improve(batch.view(), start.view(), steps).answers);
            counted = fake::calls().at("launch");
        }
        return counted;
    };
    EXPECT_GT(launches(1), 5);
    EXPECT_EQ(launches(60'000'000), 1);
}

/// The fake runtime does not see the calls of the kernels' launchers, whose text is short enough to check.
TEST_F(cuda_faults, launchers_allocate_nothing_and_wait_for_nothing) {
    std::regex const forbidden("cuda(Malloc|Free|HostAlloc|DeviceSynchronize|StreamSynchronize|Memcpy)\\w*\\(");
    std::int64_t read = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(source_folder() / "kernels")) {
        std::string const extension = entry.path().extension().string();
        if (extension != ".cu" && extension != ".cuh") {
            continue;
        }
        ++read;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        EXPECT_FALSE(std::regex_search(text.str(), forbidden)) << entry.path();
    }
    EXPECT_GT(read, 5);
}

TEST_F(cuda_faults, arena_and_ring_stay_within_the_limit_together) {
    for (std::int64_t const limit : {64 << 10, 100'001, 1 << 20, 77'777'777}) {
        engine const by({.where = device::cuda, .threads = 1, .device_memory = limit});
        EXPECT_LE(fake::bytes(), limit);
        EXPECT_GT(fake::bytes(), limit - 1024);
    }
    for (device const where : {device::cuda, device::automatic}) {
        error const refused = expect_error(status::invalid_argument, [&] {
            engine const none({.where = where, .threads = 1, .device_memory = (64 << 10) - 1});
        });
        EXPECT_NE(std::string(refused.what()).find("at least 65536 bytes"), std::string::npos) << refused.what();
    }
    EXPECT_NO_THROW(engine({.where = device::cpu, .threads = 1, .device_memory = 0}));
}

TEST_F(cuda_faults, release_gives_everything_back_and_resume_that_fails_stays_on_the_cpu) {
    engine by = made();
    engine_verb const& verb = engine_verbs()[1];
    verb_outcome const expected = verb.run(cpu_engine());
    by.release();
    EXPECT_EQ(fake::alive(), 1) << "pinned memory of the host's, which goes with the engine";
    fake::forget_calls();
    EXPECT_EQ(verb.run(by), expected);
    EXPECT_EQ(fake::all_calls(), 0) << "a released GPU was called";
    EXPECT_EQ(by.device_status().released_calls, 1);

    std::int64_t site = 0;
    for (; site < too_many; ++site) {
        fake::fail_after(site, cudaErrorMemoryAllocation);
        by.resume();
        fake::heal();
        if (by.where() == device::cuda) {
            break;
        }
        ASSERT_EQ(by.device_status().state, device_state::unavailable);
        ASSERT_EQ(fake::alive(), 1) << "call " << site;
        ASSERT_EQ(verb.run(by), expected);
    }
    EXPECT_GT(site, 20);
    EXPECT_EQ(by.device_status().fallbacks, site);
    EXPECT_EQ(verb.run(by), expected);
    EXPECT_EQ(by.device_status().state, device_state::ready);

    engine strict = made(fallback::error);
    strict.release();
    EXPECT_EQ(verb.run(strict), expected) << "a released engine was told to use the CPU";
    fake::fail_after(2, cudaErrorMemoryAllocation);
    expect_error(status::device_unavailable, [&] { strict.resume(); });
    expect_error(status::device_unavailable, [&] { static_cast<void>(verb.run(strict)); });
    strict.resume();
    EXPECT_EQ(verb.run(strict), expected);
}

TEST_F(cuda_faults, calls_faults_release_and_resume_side_by_side_lose_no_byte) {
    engine by = made();
    std::vector<verb_outcome> expected;
    for (engine_verb const& verb : engine_verbs()) {
        expected.push_back(verb.run(cpu_engine()));
    }
    std::vector<std::jthread> callers;
    std::atomic<std::int64_t> wrong{0};
    for (std::size_t caller = 0; caller < 3; ++caller) {
        callers.emplace_back([&, caller] {
            for (std::size_t round = 0; round < 8; ++round) {
                std::size_t const v = (caller + round) % expected.size();
                wrong += engine_verbs()[v].run(by) == expected[v] ? 0 : 1;
            }
        });
    }
    std::jthread const disturber([&](std::stop_token stop) {
        for (std::int64_t k = 0; !stop.stop_requested(); ++k) {
            fake::fail_after(k % 50, recoverable[k % 4]);
            by.release();
            std::this_thread::yield();
            by.resume();
        }
    });
    callers.clear();
    EXPECT_EQ(wrong, 0);
}

TEST_F(cuda_faults, a_caller_s_stream_gets_all_work) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0), cudaSuccess);
    {
        fake::forget_calls();
        engine const by({.where = device::cuda, .threads = 1, .device_memory = 1 << 20, .stream = stream});
        EXPECT_EQ(fake::calls()["cudaStreamCreateWithPriority"], 1) << "by which the arena comes and goes";
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
        }
        EXPECT_EQ(fake::streams(), std::set<cudaStream_t>{stream});
    }
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess) << "it was destroyed with the engine";
}

TEST_F(cuda_faults, a_forked_child_runs_on_the_cpu_and_calls_no_cuda) {
    for (fallback const on_fallback : {fallback::proceed, fallback::error}) {
        engine by = made(on_fallback);
        engine_verb const& verb = engine_verbs()[1];
        verb_outcome const expected = verb.run(by);
        EXPECT_EQ(exit_code_of_child([&] {
                      fake::forget_calls();
                      child_expects(on_fallback == fallback::proceed ? verb.run(by) == expected
                                                                     : refuses_as_forked([&] { verb.run(by); }));
                      by.release();
                      child_expects(by.device_status().state == device_state::forked);
                      child_expects(on_fallback == fallback::proceed || refuses_as_forked([&] { by.resume(); }));
                      { engine const gone = std::move(by); }
                      child_expects(refuses_as_forked([] { static_cast<void>(made()); }));
                      child_expects(verb.run(made(fallback::proceed, device::automatic)) == expected);
                      child_expects(fake::all_calls() == 0);
                  }),
                  0);
        EXPECT_EQ(verb.run(by), expected);
        EXPECT_EQ(by.device_status().fallbacks, 0);
    }
}

}  // namespace
}  // namespace optgap::testing
