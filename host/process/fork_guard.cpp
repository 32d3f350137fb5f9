#include "optgap/fork.hpp"

#include <pthread.h>

#include <atomic>

namespace optgap {

namespace {

std::atomic<std::uint32_t> forks{0};

}  // namespace

std::uint32_t fork_generation() {
    static int const watching = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
    static_cast<void>(watching);
    return forks.load(std::memory_order_relaxed);
}

}  // namespace optgap
