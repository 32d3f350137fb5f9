#include "host/cpu/cpu_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace optgap {
namespace {

TEST(cpu_pool, runs_every_row_once_on_any_number_of_threads) {
    for (int threads : {1, 2, 5}) {
        cpu_pool pool(threads);
        for (std::int64_t count : {0, 1, 7, 1000}) {
            std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
            pool.run(count, 3, [&](worker_memory&, std::int64_t begin, std::int64_t end) {
                EXPECT_LE(end - begin, 3);
                for (std::int64_t r = begin; r < end; ++r) {
                    ++hits[std::size_t(r)];
                }
            });
            for (std::atomic<int> const& hit : hits) {
                EXPECT_EQ(hit, 1);
            }
        }
    }
}

TEST(cpu_pool, serves_many_callers_at_once) {
    cpu_pool pool(3);
    std::atomic<std::int64_t> sum = 0;
    std::vector<std::thread> callers;
    for (int c = 0; c < 6; ++c) {
        callers.emplace_back([&] {
            for (int round = 0; round < 50; ++round) {
                pool.run(100, 7, [&](worker_memory&, std::int64_t begin, std::int64_t end) { sum += end - begin; });
            }
        });
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(sum, 6 * 50 * 100);
}

/// A caller that must not wait finds the threads taken, and computes its rows itself.
TEST(cpu_pool, work_that_must_not_wait_does_not) {
    cpu_pool pool(3);
    auto const rows_of = [&](bool waits) {
        std::vector<std::atomic<int>> hits(100);
        std::atomic<int> parts = 0;
        auto const count = [&](worker_memory&, std::int64_t begin, std::int64_t end) {
            ++parts;
            for (std::int64_t r = begin; r < end; ++r) {
                ++hits[std::size_t(r)];
            }
        };
        waits ? pool.run(100, 7, count) : pool.run_without_waiting(100, 7, count);
        EXPECT_TRUE(std::ranges::all_of(hits, [](std::atomic<int> const& hit) { return hit == 1; }));
        return parts.load();
    };
    EXPECT_EQ(rows_of(true), 15);
    EXPECT_EQ(rows_of(false), 15) << "nobody has the threads";
    std::atomic<bool> ended = false;
    pool.run(6, 1, [&](worker_memory&, std::int64_t begin, std::int64_t) {
        if (begin == 0) {
            std::jthread([&] { EXPECT_EQ(rows_of(false), 1); }).join();
            ended = true;
        }
    });
    EXPECT_TRUE(ended);
}

TEST(cpu_pool, gives_the_first_exception_to_the_caller_and_goes_on_working) {
    cpu_pool pool(4);
    auto const failing = [](worker_memory&, std::int64_t begin, std::int64_t) {
        if (begin >= 50) {
            throw std::runtime_error("row 50");
        }
    };
    EXPECT_THROW(pool.run(1000, 1, failing), std::runtime_error);
    std::atomic<int> rows = 0;
    pool.run(10, 1, [&](worker_memory&, std::int64_t, std::int64_t) { ++rows; });
    EXPECT_EQ(rows, 10);
}

TEST(cpu_pool, scratch_is_aligned_and_keeps_its_size) {
    scratch_buffer buffer;
    std::int32_t* const small = buffer.words(10);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small) % 64, 0u);
    std::int32_t* const large = buffer.words(100'000);
    large[99'999] = 7;
    EXPECT_EQ(buffer.words(5), large) << "a smaller request keeps the memory";
}

TEST(cpu_pool, uses_at_least_one_thread_and_no_more_than_the_process_may) {
    EXPECT_GE(default_threads(), 1);
    EXPECT_LE(default_threads(), int(std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace optgap
