#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace optgap {

/// min(cgroup quota, CPU affinity), at least 1.
int default_threads();

/// Scratch memory of one worker: grows, never shrinks, 64-byte aligned, contents undefined.
class scratch_buffer {
public:
    std::int32_t* words(std::int64_t count) {
        if (count > capacity_) {
            capacity_ = (count + 1023) / 1024 * 1024;
            memory_.reset(static_cast<std::int32_t*>(std::aligned_alloc(64, std::size_t(capacity_) * 4)));
            if (!memory_) {
                capacity_ = 0;
                throw std::bad_alloc();
            }
        }
        return memory_.get();
    }

private:
    struct release {
        void operator()(void* p) const { std::free(p); }
    };
    std::unique_ptr<std::int32_t, release> memory_;
    std::int64_t capacity_ = 0;
};

/// A worker's private memory: `scratch` for task code, `answer` for the block it writes.
struct worker_memory {
    scratch_buffer scratch;
    scratch_buffer answer;
};

/// A fixed set of threads that draw chunks of a range from one atomic ticket. The caller works too.
class cpu_pool {
public:
    using task = std::function<void(worker_memory&, std::int64_t begin, std::int64_t end)>;

    explicit cpu_pool(int threads);
    ~cpu_pool();
    cpu_pool(cpu_pool const&) = delete;
    cpu_pool& operator=(cpu_pool const&) = delete;

    [[nodiscard]] int threads() const { return int(memory_.size()); }
    /// Runs `work` over [0, count) in chunks of at most `grain`; one call at a time, others wait. The first exception
    /// thrown by a chunk ends the rest and is rethrown here.
    void run(std::int64_t count, std::int64_t grain, task const& work);

private:
    struct job {
        task const* work;
        std::int64_t count;
        std::int64_t grain;
        std::atomic<std::int64_t> next{0};
        std::atomic<int> running{0};
        std::mutex failing;
        std::exception_ptr failure;
    };
    void serve(std::stop_token stop, int worker);
    static void work_on(job& current, worker_memory& memory);

    std::vector<worker_memory> memory_;
    std::mutex one_caller_;
    std::mutex state_;
    std::condition_variable_any wake_;
    std::condition_variable_any done_;
    job* job_ = nullptr;
    std::uint64_t generation_ = 0;
    std::vector<std::jthread> threads_;
};

}  // namespace optgap
