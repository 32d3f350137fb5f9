// device_mixed_*: one call of a resident store over rows of every task, beside each task's rows alone.

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>

#include "bench/bench.hpp"
#include "bench/device/device_columns.hpp"
#include "bench/rollouts.hpp"
#include "optgap/device/store.hpp"

namespace optgap::bench {

namespace {

constexpr std::int64_t many_rows = std::int64_t(1) << 16;
constexpr std::int64_t step_rows = step_groups * group_size;
/// Memory of a store per row. An eighth of it holds what searches keep from launch to launch, 12 kB in a set with
/// chests.
constexpr std::int64_t row_bytes = std::int64_t(1) << 17;
constexpr std::int64_t instances_a_task = group_size;

/// Answers to instances. A batch takes them in turn, as often as it has rows.
struct answer_pool {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// The pool of one task: greedy answers to search from, or groups around them to judge.
answer_pool pool_of(setting at, std::int32_t task, bool to_search) {
    at.task = task;
    answer_pool pool;
    pool.instances = at.by.generate(specs_of(at, instances_a_task));
    csr_words const greedy = at.by.greedy(pool.instances.view());
    pool.answers = to_search ? greedy : perturbed_answers(at.by, pool.instances.view(), greedy, 1);
    for (std::int64_t r = 0; r < pool.answers.rows(); ++r) {
        pool.instance_of.push_back(std::int32_t(r * instances_a_task / pool.answers.rows()));
    }
    return pool;
}

/// Joins all pools so that adjacent answers are of different tasks.
answer_pool mixed(std::vector<answer_pool> const& parts) {
    answer_pool all;
    std::vector<std::int32_t> first;
    for (answer_pool const& part : parts) {
        first.push_back(std::int32_t(all.instances.size()));
        for (std::int64_t i = 0; i < part.instances.size(); ++i) {
            all.instances.append(part.instances.task[std::size_t(i)], part.instances.blocks.row(i));
        }
    }
    for (std::int64_t r = 0; r < parts[0].answers.rows(); ++r) {
        for (std::size_t p = 0; p < parts.size(); ++p) {
            all.answers.append(parts[p].answers.row(r));
            all.instance_of.push_back(first[p] + parts[p].instance_of[std::size_t(r)]);
        }
    }
    return all;
}

/// A verb over `rows` rows of a pool. Its columns and set are in device memory.
class resident_call {
public:
    resident_call(device_store& store, answer_pool const& pool, std::int64_t rows)
        : store_(store), pool_(pool), set_(store.keep(pool.instances.view())) {
        csr_words answers;
        std::vector<std::int32_t> of;
        for (std::int64_t r = 0; r < rows; ++r) {
            answers.append(pool.answers.row(r % pool.answers.rows()));
            of.push_back(pool.instance_of[std::size_t(r % pool.answers.rows())]);
            longest_ = std::max(longest_, std::int64_t(answers.row(r).size()));
        }
        there_ = {on_.put(answers.words), std::int64_t(answers.words.size()), on_.put(answers.offsets), rows,
                  on_.put(of)};
    }
    virtual ~resident_call() = default;
    resident_call(resident_call const&) = delete;
    resident_call& operator=(resident_call const&) = delete;
    /// Queues the call on the columns' stream.
    virtual void queue() = 0;
    /// Checks the results of a finished call.
    virtual void check(engine const& host) = 0;

    /// Samples calls in seconds, and checks the first one.
    [[nodiscard]] std::vector<double> called(engine const& host, double seconds, std::size_t least) {
        queue();
        store_.wait();
        check(host);
        return sampled(seconds, least, [this] { queue(); });
    }
    /// Samples a graph that contains the call.
    [[nodiscard]] std::vector<double> captured(double seconds, std::size_t least) {
        cudaGraph_t graph = nullptr;
        OPTGAP_CUDA_TRY(cudaStreamBeginCapture(on_.stream(), cudaStreamCaptureModeThreadLocal));
        queue();
        OPTGAP_CUDA_TRY(cudaStreamEndCapture(on_.stream(), &graph));
        cudaGraphExec_t made = nullptr;
        cudaError_t const ready = cudaGraphInstantiate(&made, graph, 0);
        cudaGraphDestroy(graph);
        OPTGAP_CUDA_TRY(ready);
        std::unique_ptr<CUgraphExec_st, cudaError_t (*)(cudaGraphExec_t)> const owner(made, cudaGraphExecDestroy);
        auto const launch = [&] { OPTGAP_CUDA_TRY(cudaGraphLaunch(made, on_.stream())); };
        launch();
        on_.wait();
        return sampled(seconds, least, launch);
    }

protected:
    template <class Queue>
    [[nodiscard]] std::vector<double> sampled(double seconds, std::size_t least, Queue const& queue_one) {
        std::vector<double> samples;
        for (double total = 0; total < seconds || samples.size() < least; total += samples.back()) {
            samples.push_back(on_.timed(queue_one));
        }
        return samples;
    }

    device_store& store_;
    answer_pool const& pool_;
    device_set set_;
    device_columns on_;
    device_answers there_;
    std::int64_t longest_ = 0;
};

class verify_calls final : public resident_call {
public:
    verify_calls(device_store& store, answer_pool const& pool, std::int64_t rows, std::int64_t)
        : resident_call(store, pool, rows), found_(on_.take<verdict>(rows)) {}
    void queue() override { store_.verify(set_, there_, found_, on_.stream()); }
    void check(engine const& host) override {
        std::vector<verdict> const expected =
            host.verify(pool_.instances.view(), pool_.answers.view(), pool_.instance_of);
        std::vector<verdict> const found = on_.get(found_, there_.rows);
        for (std::size_t r = 0; r < found.size(); ++r) {
            expect(found[r] == expected[r % expected.size()], "the store's verdict of row " + std::to_string(r));
        }
    }

private:
    verdict* found_;
};

class improve_calls final : public resident_call {
public:
    improve_calls(device_store& store, answer_pool const& pool, std::int64_t rows, std::int64_t steps)
        : resident_call(store, pool, rows), steps_(steps) {
        std::int64_t const room = std::max<std::int64_t>({set_.answer_words(), longest_, 1});
        found_ = {on_.take<std::int32_t>(rows * room), rows * room, on_.take<std::int64_t>(rows + 1),
                  on_.take<search_row>(rows)};
    }
    void queue() override { store_.improve(set_, there_, steps_, 0, found_, on_.stream()); }
    /// Checks a row or two of each task.
    void check(engine const& host) override {
        csr_view few = pool_.answers.view();
        few.rows = std::min({few.rows, there_.rows, std::int64_t(64)});
        improved_batch const expected = host.improve(pool_.instances.view(), few, steps_, 0,
                                                     std::span(pool_.instance_of).first(std::size_t(few.rows)));
        std::vector<search_row> const found = on_.get(found_.rows, few.rows);
        std::vector<std::int64_t> const offsets = on_.get(found_.offsets, few.rows + 1);
        std::vector<std::int32_t> const words = on_.get(found_.words, offsets.back());
        expect(offsets == expected.answers.offsets && words == expected.answers.words,
               "what the store's searches found");
        for (std::size_t r = 0; r < found.size(); ++r) {
            expect(found[r].objective == expected.objective[r] && found[r].moves == expected.moves[r],
                   "the store's search of row " + std::to_string(r));
        }
    }

private:
    std::int64_t steps_;
    device_searches found_;
};

/// Samples of one call, called directly and in a graph.
struct call_samples {
    std::vector<double> called;
    std::vector<double> captured;
};
struct call_seconds {
    double called = 0;
    double captured = 0;
    void add(call_samples const& more, double share) {
        called += share * quantile(more.called, 0.5);
        captured += share * quantile(more.captured, 0.5);
    }
};

/// A sample is the mixed call. Its time is compared with the sum of its parts', each the rows of one task alone in a
/// set of its own. For answers it is also compared with as many rows of one task, as the mean over the tasks, which
/// includes a call's fixed cost only once.
template <class Calls>
measurement mixed_beside_parts(setting const& at, char const* workload, char const* unit, std::int64_t rows) {
    rows = at.batch > 0 ? at.batch : rows;
    std::vector<std::int32_t> tasks = at.tasks;
    if (tasks.empty()) {
        tasks.resize(at.by.tasks().size());
        std::iota(tasks.begin(), tasks.end(), 0);
    }
    constexpr bool to_search = std::is_same_v<Calls, improve_calls>;
    std::vector<answer_pool> pools;
    for (std::int32_t const task : tasks) {
        pools.push_back(pool_of(at, task, to_search));
    }
    answer_pool const all = mixed(pools);
    engine const host({.where = device::cpu, .threads = at.by.threads(), .server = "off"});
    device_store store(at.by, {.memory = std::clamp(rows * row_bytes, std::int64_t(1) << 28, std::int64_t(1) << 30)});
    device_scope const here(store.ordinal());
    auto const seconds_of_calls = [&](answer_pool const& pool, std::int64_t count, double seconds, std::size_t least) {
        Calls call(store, pool, count, at.steps);
        std::vector<double> const called = call.called(host, seconds / 2, least);
        return call_samples{called, call.captured(seconds / 2, least)};
    };

    measurement result = start_of(at, workload, unit, rows);
    result.task = name_of_tasks(at, "mixed");
    call_samples const whole = seconds_of_calls(all, rows, at.seconds / 2, 5);
    result.seconds = whole.called;
    call_seconds parts, as_many;
    double const own_seconds = at.seconds / 4 / double(tasks.size());
    for (std::size_t p = 0; p < tasks.size(); ++p) {
        std::int64_t const own =
            rows / std::int64_t(tasks.size()) + (std::int64_t(p) < rows % std::int64_t(tasks.size()));
        parts.add(seconds_of_calls(pools[p], own, own_seconds, 3), 1);
        if (!to_search) {
            as_many.add(seconds_of_calls(pools[p], rows, own_seconds, 3), double(own) / double(rows));
        }
    }
    call_seconds mixed_call;
    mixed_call.add(whole, 1);
    result.stages = {{"called", mixed_call.called},
                     {"captured", mixed_call.captured},
                     {"parts", parts.called},
                     {"parts captured", parts.captured}};
    result.ratios = {{"of its parts", mixed_call.called / parts.called},
                     {"captured", mixed_call.captured / parts.captured}};
    if (!to_search) {
        result.stages.insert(result.stages.end(),
                             {{"one task", as_many.called}, {"one task captured", as_many.captured}});
        result.ratios.insert(result.ratios.end(), {{"of one task", mixed_call.called / as_many.called},
                                                   {"of one task captured", mixed_call.captured / as_many.captured}});
    }
    return result;
}

}  // namespace

measurement bench_device_mixed_verify(setting const& at) {
    return mixed_beside_parts<verify_calls>(at, "device_mixed_verify", "answers", many_rows);
}
measurement bench_device_mixed_step(setting const& at) {
    return mixed_beside_parts<verify_calls>(at, "device_mixed_step", "answers", step_rows);
}
measurement bench_device_mixed_improve(setting const& at) {
    return mixed_beside_parts<improve_calls>(at, "device_mixed_improve", "searches", step_rows);
}

}  // namespace optgap::bench
