#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "bench/bench.hpp"
#include "host/sqlite/sqlite.hpp"

namespace optgap::bench {

namespace {

constexpr int min_samples = 5;

constexpr workload all_workloads[] = {
    {"generate", "instances", over::each_task, bench_generate},
    {"generate_sizes", "instances, their sizes and their generators' scratch alone, on one core", over::each_task,
     bench_generate_sizes},
    {"parse", "bytes of rollout text, format checked over the whole text", over::all_tasks, bench_parse},
    {"verify", "parsed answers", over::each_task, bench_verify},
    {"improve", "move evaluations", over::each_task, bench_improve, false, true},
    {"device_generate", "instances, kernels alone, in device memory", over::each_task, bench_device_generate, true},
    {"device_verify", "parsed answers, kernels alone, in device memory", over::each_task, bench_device_verify, true},
    {"device_improve", "move evaluations, kernels alone, in device memory", over::each_task, bench_device_improve, true,
     true},
    {"device_mixed_verify",
     "answers of every task in one call of a resident store; its time over each task's rows alone", over::all_tasks,
     bench_device_mixed_verify, true},
    {"device_mixed_step", "the same of a step's answers", over::all_tasks, bench_device_mixed_step, true},
    {"device_mixed_improve", "the same of searches", over::all_tasks, bench_device_mixed_improve, true},
    {"crossover_generate", "instances from host memory by growing batches, the cores' time over the GPU's",
     over::each_task, bench_crossover_generate, true},
    {"crossover_verify", "the same of answers", over::each_task, bench_crossover_verify, true},
    {"crossover_improve", "the same of searches", over::each_task, bench_crossover_improve, true, true},
    {"start_up", "processes of this program, with an engine and without", over::no_task, bench_start_up},
    {"first_call", "one instance by an engine of its own: made, first call, next", over::each_task, bench_first_call},
    {"solve", "proven labels", over::each_task, bench_solve},
    {"mix", "one instance of every task, generated and proven", over::all_tasks, bench_mix},
    {"score", "rollouts: parse + verify + reward + advantage, baselines given", over::all_tasks, bench_score},
    {"rewards", "rows: reward + advantage + keep-mask of parsed, verified rollouts", over::all_tasks, bench_rewards},
    {"advantages", "rows in groups of 16, grpo", over::no_task, bench_advantages},
    {"river", "rows in groups of 16, ranked scores", over::no_task, bench_river},
    {"ranks", "rows in groups of 16, uniform ranks over four scores each", over::no_task, bench_ranks},
    {"step", "a step's rollouts through the scheduler, all submitted at once, baselines proven before", over::all_tasks,
     bench_step},
    {"sample_1", "single samples through the scheduler, one under way", over::all_tasks, bench_sample_1},
    {"sample_16", "single samples, 16 under way", over::all_tasks, bench_sample_16},
    {"sample_256", "single samples, 256 under way", over::all_tasks, bench_sample_256},
    {"serve_1", "one row's score through a daemon and back", over::all_tasks, bench_serve_1},
    {"serve_step", "a step's texts through a daemon", over::all_tasks, bench_serve_step},
    {"serve_solve", "eight clients that ask for the same baselines at once", over::all_tasks, bench_serve_solve},
    {"curriculum", "cells of task and level: a step observes a group in each, merges and decides", over::no_task,
     bench_curriculum},
    {"rollouts", "a stream of groups of 16 through the scheduler, 256 under way", over::all_tasks, bench_rollouts},
    {"proposals", "texts that pose problems and fall at a gate before the canonical form", over::each_task,
     bench_proposals},
    {"canonical", "texts that pose problems, read and named under all labels, without proofs", over::each_task,
     bench_canonical},
    {"judgements", "bytes of judges' texts that hold no score, read on one core; besides with one", over::no_task,
     bench_judgements},
    {"chains",
     "rollouts of 4 kB against rubrics on one core: content and six checks; besides alone, with gates, and the "
     "instruction types",
     over::no_task, bench_rubrics},
    {"program_cpp", "runs of C++ that prints a line, in the jail, beside subprocess.run and bash", over::no_task,
     bench_program_cpp},
    {"program_python", "the same in Python", over::no_task, bench_program_python},
    {"program_module", "the same as a module", over::no_task, bench_program_module},
    {"program_slots", "runs of 50 ms on one slot, beside subprocess.run and bash", over::no_task, bench_program_slots},
    {"program_beside", "runs of 50 ms on all slots, and what a trainer's loop loses beside them", over::no_task,
     bench_program_beside},
    {"store", "tsp labels written into a store, beside making them and reading them back", over::no_task, bench_store},
    {"pool", "a step of 128 entries and 512 rollouts into a pool of --batch", over::no_task, bench_pool},
};

}  // namespace

std::span<workload const> workloads() {
    std::span<workload const> const all(all_workloads);
    return sqlite::available() ? all : all.first(all.size() - 2);  // store and pool come last
}

double quantile(std::vector<double> samples, double p) {
    if (samples.empty()) {
        return 0;
    }
    std::size_t const at = std::size_t(p * double(samples.size() - 1) + 0.5);
    std::nth_element(samples.begin(), samples.begin() + std::ptrdiff_t(at), samples.end());
    return samples[at];
}

double measurement::rate() const { return items / quantile(seconds, 0.5); }
double measurement::spread() const {
    return (quantile(seconds, 0.9) - quantile(seconds, 0.1)) / quantile(seconds, 0.5);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double seconds_of(std::function<void()> const& call) {
    auto const begin = std::chrono::steady_clock::now();
    call();
    return seconds_since(begin);
}

std::vector<double> sample(double seconds, std::function<void()> const& run) {
    using clock = std::chrono::steady_clock;
    run();
    std::vector<double> samples;
    double total = 0;
    while (total < seconds || int(samples.size()) < min_samples) {
        auto const start = clock::now();
        run();
        samples.push_back(std::chrono::duration<double>(clock::now() - start).count());
        total += samples.back();
    }
    return samples;
}

void expect(bool condition, std::string const& what) {
    if (!condition) {
        throw wrong_result(what);
    }
}

}  // namespace optgap::bench
