// step, sample_N, rollouts: a trainer's waiting times with the scheduler.

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"
#include "optgap/scheduler.hpp"

namespace optgap::bench {

namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::minutes never{10};
/// CPU seconds of the whole process.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// A step and the names of its instances. The texts stay in place, so the scheduler need not copy them.
struct scheduled_step {
    step made;
    std::vector<instance_spec> specs;
    std::shared_ptr<void const> owner;
    std::vector<reward_row> expected;

    scheduled_step(setting const& at, std::int64_t groups)
        : made(make_step(at.by, at.level, groups, at.text_bytes, at.tasks)), owner(std::make_shared<int>(0)) {
        specs = step_specs(at.by, at.level, groups, at.tasks);
        expected = at.by.score(made.request()).rows;
        if (at.pinned_texts) {
            std::shared_ptr<char> const pinned = pinned_memory(std::size_t(made.bytes));
            char* to = pinned.get();
            for (std::string_view& text : made.views) {
                text = {std::copy(text.begin(), text.end(), to) - text.size(), text.size()};
                to += text.size();
            }
            owner = pinned;
        }
    }
    [[nodiscard]] submission group(std::int64_t g) const {
        submission what;
        what.texts = std::span(made.views).subspan(std::size_t(g * group_size), std::size_t(group_size));
        what.owner = owner;
        return what;
    }
};

measurement start(setting const& at, std::string const& workload, std::int64_t batch, double items) {
    measurement made;
    made.workload = workload;
    made.task = name_of_tasks(at, "mixed");
    made.level = level_name(at.level);
    made.unit = "rollouts";
    made.batch = batch;
    made.items = items;
    return made;
}

/// Waits until every requested baseline is there, since decoding takes longer than proofs.
void await_baselines(scheduler& by, step const& made, std::span<instance_spec const> specs) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
        auto const found = by.collect(by.submit({.spec = specs[i]}, {}), never);
        expect(found && found->baseline == made.solved.rows[i], "the baseline of instance " + std::to_string(i));
    }
}

/// One process that keeps `in_flight` single samples running, as a trainer's event loop does.
measurement bench_samples(setting const& at, std::string const& workload, std::int64_t in_flight) {
    scheduled_step const step(at, 40);
    std::vector<std::string_view> const& texts = step.made.views;
    scheduler by(at.by);
    await_baselines(by, step.made, step.specs);
    auto const queue = std::make_shared<completion_queue>();
    struct flight {
        ticket of;
        std::size_t row;
        clock::time_point begin;
    };
    std::deque<flight> flying;
    std::size_t next = 0;
    auto const launch = [&] {
        std::size_t const row = next++ % texts.size();
        submission what;
        what.texts = std::span(texts).subspan(row, 1);
        what.owner = step.owner;
        what.notify = queue;
        what.held = true;
        clock::time_point const begin = clock::now();
        flying.push_back({by.submit({.spec = step.specs[std::size_t(step.made.instance_of[row])]}, what), row, begin});
    };
    measurement result = start(at, workload, in_flight, double(in_flight));
    for (std::int64_t k = 0; k < in_flight; ++k) {
        launch();
    }
    by.begin();
    clock::time_point const begin = clock::now();
    double const cpu_begin = cpu_seconds();
    std::size_t done = 0;
    while (seconds_since(begin) < at.seconds) {
        pollfd watched{queue->fd(), POLLIN, 0};
        poll(&watched, 1, -1);
        for (ticket const one : queue->drain()) {
            auto const found = by.collect(one, never);
            auto const at_row =
                std::find_if(flying.begin(), flying.end(), [&](flight const& f) { return f.of == one; });
            result.latencies.push_back(seconds_since(at_row->begin));
            expect(found && found->rows()[0] == step.expected[at_row->row], "row " + std::to_string(at_row->row));
            flying.erase(at_row);
            ++done;
            launch();
        }
        by.begin();  // as an event loop at the end of its turn
    }
    result.seconds = {seconds_since(begin) / double(done) * double(in_flight)};
    result.stages = {{"cpu_per_rollout", (cpu_seconds() - cpu_begin) / double(done)}};
    return result;
}

}  // namespace

/// The time from the last completion of a step to its rewards and advantages. All are submitted at once; baselines are
/// proven before.
measurement bench_step(setting const& at) {
    std::int64_t const groups = at.batch > 0 ? at.batch / group_size : step_groups;
    scheduled_step const step(at, groups);
    score_batch const expected = at.by.score(step.made.request());
    scheduler by(at.by, {.queue_bytes = std::int64_t(4) << 30});
    await_baselines(by, step.made, step.specs);
    measurement result = start(at, "step", groups * group_size, double(groups * group_size));
    std::vector<double> issue, cpu;
    double spent = 0;
    while (result.seconds.size() < 6 || spent < at.seconds) {
        clock::time_point const asked = clock::now();
        issued_batch const issued = by.issue(step.specs);
        issue.push_back(seconds_since(asked));
        double const cpu_begin = cpu_seconds();
        clock::time_point const begin = clock::now();
        for (std::int64_t g = 0; g < groups; ++g) {
            expect(by.submit(issued.tickets[std::size_t(g)], step.group(g)), "a submission was refused");
        }
        auto const found = by.collect(issued.tickets, never);
        result.seconds.push_back(seconds_since(begin));
        spent += result.seconds.back();
        cpu.push_back(cpu_seconds() - cpu_begin);
        expect(found && found->scores.rows == expected.rows && found->scores.advantage == expected.advantage,
               "the scheduler's rows differ from the engine's");
    }
    result.seconds.erase(result.seconds.begin());  // the first fills the allocator
    result.stages = {{"issue", quantile(issue, 0.5)}, {"cpu", quantile(cpu, 0.5)}};
    result.needs = {{"read", step.made.bytes}};
    return result;
}

measurement bench_sample_1(setting const& at) { return bench_samples(at, "sample_1", 1); }
measurement bench_sample_16(setting const& at) { return bench_samples(at, "sample_16", 16); }
measurement bench_sample_256(setting const& at) { return bench_samples(at, "sample_256", 256); }

/// A stream of groups, 256 of them at a time. A rollout's cost must not depend on how many came before.
measurement bench_rollouts(setting const& at) {
    constexpr std::size_t max_under_way = 256;
    std::int64_t const rows = at.batch > 0 ? at.batch : 100'000;
    std::int64_t const groups = std::max<std::int64_t>(1, rows / group_size);
    scheduled_step const step(at, 80);
    scheduler by(at.by);
    await_baselines(by, step.made, step.specs);
    measurement result = start(at, "rollouts", groups * group_size, double(groups * group_size));
    std::vector<double> cpu;
    double spent = 0;
    // Short streams are repeated within one sample's time; long ones run once.
    do {
        std::deque<std::pair<std::int64_t, ticket>> under_way;
        auto const take = [&] {
            auto const found = by.collect(under_way.front().second, never);
            std::size_t const first = std::size_t(under_way.front().first * group_size);
            expect(found && found->rows()[3] == step.expected[first + 3], "group " + std::to_string(first));
            under_way.pop_front();
        };
        double const cpu_begin = cpu_seconds();
        clock::time_point const begin = clock::now();
        for (std::int64_t g = 0; g < groups; ++g) {
            std::int64_t const own = g % 80;
            under_way.emplace_back(own, by.submit({.spec = step.specs[std::size_t(own)]}, step.group(own)));
            if (under_way.size() == max_under_way) {
                take();
            }
        }
        while (!under_way.empty()) {
            take();
        }
        result.seconds.push_back(seconds_since(begin));
        cpu.push_back((cpu_seconds() - cpu_begin) / result.items);
        spent += result.seconds.back();
    } while (spent < at.seconds);
    result.stages = {{"cpu_per_rollout", quantile(cpu, 0.5)}};
    result.needs = {{"read", step.made.bytes / double(step.made.views.size()) * result.items}};
    return result;
}

}  // namespace optgap::bench
