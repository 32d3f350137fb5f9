#include "host/cpu/cpu_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "host/process/trace.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

/// CPUs the cgroup (v2, then v1) lets this process use; a large number when it sets no limit.
int quota_cpus() {
    auto const whole = [](double cpus) { return std::max(1, int(cpus + 0.5)); };
    std::string quota;
    double period = 0;
    if (std::ifstream file("/sys/fs/cgroup/cpu.max"); file >> quota >> period) {
        return quota == "max" || period <= 0 ? 1 << 20 : whole(std::stod(quota) / period);
    }
    double limit = 0;
    std::ifstream limit_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (limit_file >> limit && period_file >> period && limit > 0 && period > 0) {
        return whole(limit / period);
    }
    return 1 << 20;
}

}  // namespace

int default_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    int const affinity =
        sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(std::thread::hardware_concurrency());
    return std::max(1, std::min(affinity, quota_cpus()));
}

/// The threads of one process, and what they share.
class cpu_pool::crew {
public:
    explicit crew(int threads) : memory_(std::size_t(threads)) {
        try {
            for (int worker = 1; worker < threads; ++worker) {
                threads_.emplace_back([this, worker](std::stop_token stop) { serve(stop, worker); });
            }
        } catch (std::system_error const& problem) {
            throw error(status::out_of_memory, "of " + std::to_string(threads) + " threads only " +
                                                   std::to_string(threads_.size() + 1) + " can be started (" +
                                                   problem.code().message() + "): ask for fewer");
        }
    }
    ~crew() {
        for (std::jthread& thread : threads_) {
            thread.request_stop();
        }
        wake_.notify_all();
    }

    /// Runs one chunk on this thread, in memory of its own, without waiting for others.
    void run_alone(std::int64_t count, task const& work) {
        std::unique_ptr<worker_memory> memory = borrow();
        struct give_back {
            crew& to;
            std::unique_ptr<worker_memory>& memory;
            ~give_back() { to.keep(std::move(memory)); }
        } const at_end{*this, memory};
        work(*memory, 0, count);
    }
    void run_together(std::int64_t count, std::int64_t grain, task const& work) {
        std::lock_guard const caller(one_caller_);
        share(count, grain, work);
    }
    void run_without_waiting(std::int64_t count, std::int64_t grain, task const& work) {
        if (std::unique_lock const caller(one_caller_, std::try_to_lock); caller.owns_lock()) {
            share(count, grain, work);
        } else {
            run_alone(count, work);
        }
    }

    std::uint32_t const generation = fork_generation();

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

    std::unique_ptr<worker_memory> borrow() {
        std::lock_guard const lock(spare_lock_);
        if (spare_.empty()) {
            return std::make_unique<worker_memory>();
        }
        std::unique_ptr<worker_memory> memory = std::move(spare_.back());
        spare_.pop_back();
        return memory;
    }
    void keep(std::unique_ptr<worker_memory> memory) {
        std::lock_guard const lock(spare_lock_);
        if (spare_.size() < 2 * memory_.size()) {
            spare_.push_back(std::move(memory));
        }
    }
    /// Runs the chunks on all threads; the caller holds one_caller_.
    void share(std::int64_t count, std::int64_t grain, task const& work);
    void serve(std::stop_token stop, int worker);
    static void work_on(job& current, worker_memory& memory);

    std::vector<worker_memory> memory_;
    std::mutex spare_lock_;
    std::vector<std::unique_ptr<worker_memory>> spare_;
    std::mutex one_caller_;
    std::mutex state_;
    std::condition_variable_any wake_;
    std::condition_variable_any done_;
    job* job_ = nullptr;
    std::uint64_t started_ = 0;
    std::vector<std::jthread> threads_;
};

void cpu_pool::crew::work_on(job& current, worker_memory& memory) {
    for (;;) {
        std::int64_t const begin = current.next.fetch_add(current.grain);
        if (begin >= current.count) {
            return;
        }
        try {
            (*current.work)(memory, begin, std::min(begin + current.grain, current.count));
        } catch (...) {
            std::lock_guard const lock(current.failing);
            if (!current.failure) {
                current.failure = std::current_exception();
            }
            current.next = current.count;
        }
    }
}

void cpu_pool::crew::serve(std::stop_token stop, int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(state_);
    for (;;) {
        wake_.wait(lock, stop, [&] { return job_ != nullptr && started_ != seen; });
        if (stop.stop_requested()) {
            return;
        }
        seen = started_;
        job& current = *job_;
        ++current.running;
        lock.unlock();
        {
            trace::range const here(trace::name::worker);
            work_on(current, memory_[std::size_t(worker)]);
        }
        lock.lock();
        if (--current.running == 0) {
            done_.notify_all();
        }
    }
}

void cpu_pool::crew::share(std::int64_t count, std::int64_t grain, task const& work) {
    job current{.work = &work, .count = count, .grain = grain, .failing = {}, .failure = {}};
    if (memory_.size() == 1) {
        work_on(current, memory_[0]);
    } else {
        {
            std::lock_guard const lock(state_);
            job_ = &current;
            ++started_;
        }
        wake_.notify_all();
        work_on(current, memory_[0]);
        std::unique_lock lock(state_);
        job_ = nullptr;
        done_.wait(lock, [&] { return current.running == 0; });
    }
    if (current.failure) {
        std::rethrow_exception(current.failure);
    }
}

cpu_pool::cpu_pool(int threads) : threads_(std::max(1, threads)), crew_(new crew(threads_)) {}

cpu_pool::~cpu_pool() {
    crew* const mine = crew_;
    // A crew from before a fork cannot be joined here: its threads never existed in this process.
    if (mine->generation == fork_generation()) {
        delete mine;
    }
}

cpu_pool::crew& cpu_pool::own_crew() {
    crew* found = crew_.load(std::memory_order_acquire);
    while (found->generation != fork_generation()) {
        auto fresh = std::make_unique<crew>(threads_);
        if (crew_.compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel)) {
            return *fresh.release();
        }
    }
    return *found;
}

void cpu_pool::run(std::int64_t count, std::int64_t grain, task const& work) {
    if (count <= 0) {
        return;
    }
    if (count <= std::max<std::int64_t>(1, grain)) {
        own_crew().run_alone(count, work);
    } else {
        own_crew().run_together(count, std::max<std::int64_t>(1, grain), work);
    }
}

void cpu_pool::run_without_waiting(std::int64_t count, std::int64_t grain, task const& work) {
    if (count <= grain) {
        run(count, grain, work);
    } else {
        own_crew().run_without_waiting(count, std::max<std::int64_t>(1, grain), work);
    }
}

}  // namespace optgap
