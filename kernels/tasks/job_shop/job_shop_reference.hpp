#pragma once
// Oracle for job_shop, written from README.md.

#include <algorithm>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::job_shop {

struct operation {
    std::size_t machine;
    std::int64_t time;
};

struct shop {
    std::size_t machines;
    std::vector<std::vector<operation>> jobs;
    std::size_t stages;

    explicit shop(std::span<std::int32_t const> words)
        : machines(std::size_t(words[0])), jobs(std::size_t(words[1])), stages(std::size_t(words[2])) {
        std::size_t at = 3;
        for (auto& job : jobs) {
            for (std::size_t i = 0; i < stages; ++i, ++at) {
                job.push_back({std::size_t(words[at]), words[at + jobs.size() * stages]});
            }
        }
    }
};

struct schedule {
    std::vector<std::size_t> done;    ///< number of finished operations of each job
    std::vector<std::int64_t> ready;  ///< of each job
    std::vector<std::int64_t> free;   ///< of each machine

    explicit schedule(shop const& on) : done(on.jobs.size()), ready(on.jobs.size()), free(on.machines) {}

    /// Schedules the job's next operation behind all others; returns its start.
    std::int64_t append(shop const& on, std::size_t job) {
        operation const own = on.jobs[job][done[job]++];
        std::int64_t const start = std::max(ready[job], free[own.machine]);
        ready[job] = free[own.machine] = start + own.time;
        return start;
    }
    [[nodiscard]] std::int64_t end() const { return *std::max_element(ready.begin(), ready.end()); }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    shop const on(instance);
    answer_lists const answer(answer_block);
    std::size_t const length = on.jobs.size() * on.stages;
    auto const most = std::int64_t(2 * length);
    if (auto broken = broken_numbers(answer, length, 0, std::int32_t(on.jobs.size()) - 1)) {
        return worst(broken->code, most, broken->where);
    }
    std::vector<std::int64_t> count(on.jobs.size());
    std::int32_t where = -1;
    for (std::size_t i = 0; i < length; ++i) {
        if (std::size_t(++count[std::size_t(answer.values[i])]) > on.stages && where < 0) {
            where = std::int32_t(i);
        }
    }
    std::int64_t off = 0;
    for (std::int64_t const own : count) {
        off += std::abs(own - std::int64_t(on.stages));
    }
    if (off > 0) {
        return {first_task_code, where, 0, off, most};
    }
    schedule made(on);
    for (std::int32_t const job : answer.values) {
        made.append(on, std::size_t(job));
    }
    return {code_ok, -1, made.end(), 0, most};
}

/// All schedules without removable idle time, operation by operation as they begin, ties by job.
inline void complete(shop const& on, schedule const& from, std::int64_t last, std::size_t last_job, std::size_t left,
                     std::int64_t& best) {
    if (left == 0) {
        best = std::min(best, from.end());
        return;
    }
    std::vector<std::int64_t> work(on.machines);
    for (std::size_t j = 0; j < on.jobs.size(); ++j) {
        std::int64_t end = from.ready[j];
        for (std::size_t i = from.done[j]; i < on.stages; ++i) {
            end = std::max({end, last, from.free[on.jobs[j][i].machine]}) + on.jobs[j][i].time;
            work[on.jobs[j][i].machine] += on.jobs[j][i].time;
        }
        if (end >= best) {
            return;
        }
    }
    for (std::size_t k = 0; k < on.machines; ++k) {
        if (work[k] > 0 && std::max(last, from.free[k]) + work[k] >= best) {
            return;
        }
    }
    for (std::size_t j = 0; j < on.jobs.size(); ++j) {
        if (from.done[j] < on.stages) {
            schedule next = from;
            std::int64_t const start = next.append(on, j);
            if (start > last || (start == last && j >= last_job)) {
                complete(on, next, start, j, left - 1, best);
            }
        }
    }
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    shop const on(instance);
    std::size_t const operations = on.jobs.size() * on.stages;
    if (operations > 25) {
        return std::nullopt;
    }
    std::int64_t best = INT64_MAX;
    complete(on, schedule(on), 0, 0, operations, best);
    return best;
}

}  // namespace optgap::reference::job_shop
