#include "host/cpu_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

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

cpu_pool::cpu_pool(int threads) : memory_(std::size_t(std::max(1, threads))) {
    for (int worker = 1; worker < this->threads(); ++worker) {
        threads_.emplace_back([this, worker](std::stop_token stop) { serve(stop, worker); });
    }
}

cpu_pool::~cpu_pool() {
    for (std::jthread& thread : threads_) {
        thread.request_stop();
    }
    wake_.notify_all();
}

void cpu_pool::work_on(job& current, worker_memory& memory) {
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

void cpu_pool::serve(std::stop_token stop, int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(state_);
    for (;;) {
        wake_.wait(lock, stop, [&] { return job_ != nullptr && generation_ != seen; });
        if (stop.stop_requested()) {
            return;
        }
        seen = generation_;
        job& current = *job_;
        ++current.running;
        lock.unlock();
        work_on(current, memory_[std::size_t(worker)]);
        lock.lock();
        if (--current.running == 0) {
            done_.notify_all();
        }
    }
}

void cpu_pool::run(std::int64_t count, std::int64_t grain, task const& work) {
    if (count <= 0) {
        return;
    }
    std::lock_guard const caller(one_caller_);
    job current{.work = &work, .count = count, .grain = std::max<std::int64_t>(1, grain), .failing = {}, .failure = {}};
    if (threads() == 1 || count <= current.grain) {
        work_on(current, memory_[0]);
    } else {
        {
            std::lock_guard const lock(state_);
            job_ = &current;
            ++generation_;
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

}  // namespace optgap
