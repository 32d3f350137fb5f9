#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>

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

/// A fixed set of threads that take chunks of a range from one atomic counter. The caller works too. A forked child
/// gets threads of its own on its first call.
class cpu_pool {
public:
    using task = std::function<void(worker_memory&, std::int64_t begin, std::int64_t end)>;

    explicit cpu_pool(int threads);
    ~cpu_pool();
    cpu_pool(cpu_pool const&) = delete;
    cpu_pool& operator=(cpu_pool const&) = delete;

    [[nodiscard]] int threads() const { return threads_; }
    /// Runs `work` over [0, count) in chunks of at most `grain`. A single chunk runs on the caller's thread at once,
    /// any number of them side by side; else one call at a time, others wait. The first exception thrown by a chunk
    /// ends the rest and is rethrown here.
    void run(std::int64_t count, std::int64_t grain, task const& work);
    /// The same, but on the caller's thread alone while another call has the others: for short work, whose caller must
    /// not wait for a long call.
    void run_without_waiting(std::int64_t count, std::int64_t grain, task const& work);

private:
    class crew;
    crew& own_crew();

    int threads_;
    std::atomic<crew*> crew_;
};

}  // namespace optgap
