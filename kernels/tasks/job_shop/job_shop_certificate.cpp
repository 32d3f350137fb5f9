// Certificates for optima of job_shop (docs/certificates.md; the checker's side: tools/certificates/tasks/job_shop.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace job_shop_certificate {

using optgap::number_rows;
using optgap::numbers;

struct operation {
    std::int64_t head, time, tail;
};

/// The least end on one machine, tails included, if the operation with the longest tail may interrupt the others.
std::int64_t interrupted(std::vector<operation> left) {
    std::int64_t most = 0;
    std::int64_t now = 0;
    while (!left.empty()) {
        operation* own = nullptr;
        std::int64_t come = INT64_MAX;
        for (operation& one : left) {
            if (one.head > now) {
                come = std::min(come, one.head);
            } else if (own == nullptr || one.tail > own->tail) {
                own = &one;
            }
        }
        if (own == nullptr) {
            now = come;
            continue;
        }
        std::int64_t const done = std::min(own->time, come - now);
        now += done;
        own->time -= done;
        if (own->time == 0) {
            most = std::max(most, now + own->tail);
            *own = left.back();
            left.pop_back();
        }
    }
    return most;
}

/// A case: when each machine is free, when each job is ready, and how many of its operations are done.
struct shop {
    std::size_t m;
    number_rows machines, times;

    [[nodiscard]] std::int64_t least(numbers const& one) const {
        std::vector<std::vector<operation>> on(m);
        std::int64_t most = 0;
        for (std::size_t job = 0; job < machines.size(); ++job) {
            std::int64_t now = one[m + job];
            std::int64_t tail = 0;
            auto const begin = std::size_t(one[m + machines.size() + job]);
            for (std::size_t i = begin; i < times[job].size(); ++i) {
                tail += times[job][i];
            }
            most = std::max(most, now);
            for (std::size_t i = begin; i < times[job].size(); ++i) {
                auto const machine = std::size_t(machines[job][i]);
                tail -= times[job][i];
                now = std::max(now, one[machine]);
                on[machine].push_back({now, times[job][i], tail});
                now += times[job][i];
            }
        }
        for (auto const& operations : on) {
            most = std::max(most, interrupted(operations));
        }
        return most;
    }
};

std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    shop const on{std::size_t(instance.number("m")), instance.rows("machines"), instance.rows("times")};
    std::size_t const jobs = on.machines.size();
    struct choice {
        std::size_t job, machine;
        std::int64_t start, end;
    };
    auto const step = [&](numbers const& one, number_rows& next) {
        std::vector<choice> open;
        for (std::size_t job = 0; job < jobs; ++job) {
            auto const stage = std::size_t(one[on.m + jobs + job]);
            if (stage < on.times[job].size()) {
                auto const machine = std::size_t(on.machines[job][stage]);
                std::int64_t const start = std::max(one[machine], one[on.m + job]);
                open.push_back({job, machine, start, start + on.times[job][stage]});
            }
        }
        if (open.empty()) {
            return false;
        }
        choice const soonest = *std::min_element(open.begin(), open.end(), [](choice const& a, choice const& b) {
            return a.end != b.end ? a.end < b.end : a.machine < b.machine;
        });
        for (choice const& own : open) {
            if (own.machine == soonest.machine && (own.start < soonest.end || own.end == soonest.end)) {
                numbers after = one;
                after[own.machine] = after[on.m + own.job] = own.end;
                ++after[on.m + jobs + own.job];
                if (on.least(after) < *objective) {
                    next.push_back(std::move(after));
                }
            }
        }
        return true;
    };
    return objective ? optgap::walked(numbers(on.m + 2 * jobs), step, most) : most + 1;
}

}  // namespace job_shop_certificate

extern optgap::certificate_form const optgap_certificate_job_shop;
optgap::certificate_form const optgap_certificate_job_shop{.cases = job_shop_certificate::cases};
