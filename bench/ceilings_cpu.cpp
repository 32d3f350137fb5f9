// Measures the best rates that a processor reaches, on as many threads as the engine has.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "bench/ceilings.hpp"

namespace optgap {

namespace {

constexpr int repeats = 11;
constexpr int warm_ups = 2;
constexpr std::size_t buffer_words = std::size_t(1) << 24;  ///< 128 MiB a thread: more than any cache
constexpr int chains = 8;                                   ///< independent additions: latency 1, at most 3 a clock
constexpr int add_rounds = 4'000'000;

#if defined(__x86_64__)
using lanes = std::uint32_t __attribute__((vector_size(32)));
#define OPTGAP_BENCH_V3 __attribute__((target("avx2")))
#else
using lanes = std::uint32_t __attribute__((vector_size(16)));
#define OPTGAP_BENCH_V3
#endif

/// The memory of one thread: two buffers that no other thread touches.
struct thread_memory {
    std::vector<std::uint64_t> from = std::vector<std::uint64_t>(buffer_words, 1);
    std::vector<std::uint64_t> to = std::vector<std::uint64_t>(buffer_words, 2);
    std::uint64_t sum = 0;
};

OPTGAP_BENCH_V3 void read_all(thread_memory& mine) {
    std::uint64_t sums[chains] = {};
    for (std::size_t i = 0; i < buffer_words; i += chains) {
        for (std::size_t k = 0; k < chains; ++k) {
            sums[k] += mine.from[i + k];
        }
    }
    for (std::uint64_t const sum : sums) {
        mine.sum += sum;
    }
}

void copy_all(thread_memory& mine) { std::memcpy(mine.to.data(), mine.from.data(), buffer_words * sizeof mine.to[0]); }

/// Chains a += b that the compiler can neither merge nor leave out, since it must assume that other code changes them.
OPTGAP_BENCH_V3 void add_all(thread_memory& mine) {
    lanes const b = lanes{} + std::uint32_t(mine.from[0]);
    lanes s = b, t = b, u = b, v = b, w = b, x = b, y = b, z = b;
    for (int round = 0; round < add_rounds; ++round) {
        s += b, t += b, u += b, v += b, w += b, x += b, y += b, z += b;
#if defined(__x86_64__)
        asm volatile("" : "+x"(s), "+x"(t), "+x"(u), "+x"(v), "+x"(w), "+x"(x), "+x"(y), "+x"(z));
#else
        asm volatile("" : "+w"(s), "+w"(t), "+w"(u), "+w"(v), "+w"(w), "+w"(x), "+w"(y), "+w"(z));
#endif
    }
    mine.sum += (s + t + u + v + w + x + y + z)[0];
}

/// `amount` per thread, divided by the seconds until the slowest of them is done.
ceiling measure(char const* name, char const* unit, double amount, std::vector<thread_memory>& memory,
                void (*work)(thread_memory&)) {
    using clock = std::chrono::steady_clock;
    ceiling found{name, unit, 0, {}};
    std::barrier gate(std::ptrdiff_t(memory.size()));
    clock::time_point begin;
    auto const run_all = [&](std::size_t t) {
        for (int run = -warm_ups; run < repeats; ++run) {
            gate.arrive_and_wait();
            if (t == 0) {
                begin = clock::now();
            }
            work(memory[t]);
            gate.arrive_and_wait();
            if (t == 0 && run >= 0) {
                double const seconds = std::chrono::duration<double>(clock::now() - begin).count();
                found.samples.push_back(amount * double(memory.size()) / seconds);
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 1; t < memory.size(); ++t) {
            threads.emplace_back(run_all, t);
        }
        run_all(0);
    }
    std::vector<double> sorted = found.samples;
    std::sort(sorted.begin(), sorted.end());
    found.median = sorted[sorted.size() / 2];
    return found;
}

}  // namespace

std::vector<ceiling> measure_cpu_ceilings(std::int32_t threads) {
    std::vector<thread_memory> memory(static_cast<std::size_t>(threads));
    double const bytes = double(buffer_words * sizeof(std::uint64_t));
    double const additions = double(add_rounds) * chains * double(sizeof(lanes) / sizeof(std::uint32_t));
    return {measure("read", "bytes/s", bytes, memory, read_all),
            measure("copy", "bytes/s", 2 * bytes, memory, copy_all),
            measure("integer_add", "operations/s", additions, memory, add_all)};
}

std::vector<ceiling> ceilings_of(engine const& by) {
    std::vector<ceiling> all = measure_cpu_ceilings(by.threads());
    if (by.where() != device::cuda) {
        return all;
    }
    std::vector<ceiling> of_gpu = measure_ceilings();
    of_gpu.push_back(all.front());
    return of_gpu;
}

}  // namespace optgap
