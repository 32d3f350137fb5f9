#pragma once
// Benchmarks of the engine's batch functions. Each workload checks its result before it is timed. A sample is one call
// on one batch, and rates are computed from the median sample.

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/rng.hpp"
#include "optgap/engine.hpp"

namespace optgap::bench {

/// One point of the axes task × level × batch × device.
struct setting {
    engine const& by;
    std::int32_t task = 0;
    std::vector<std::int32_t> tasks = {};  ///< for a row over several tasks; empty: every task
    difficulty level = difficulty::benchmark();
    std::int64_t batch = 0;            ///< 0: the workload's default
    std::int64_t text_bytes = 63'000;  ///< size of a rollout, for parse and score
    std::int64_t steps = 200;          ///< steps of improve
    double seconds = 1.0;              ///< sampling time
    bool pinned_texts = false;         ///< the step's texts are in memory that a GPU has pinned
    std::int32_t ordinal = -1;         ///< the GPU's, as in engine_options
};

/// The minimum that a sample needs of one ceiling, in the ceiling's unit (bench/ceilings.hpp).
struct need {
    std::string ceiling;
    double amount = 0;
};

struct measurement {
    std::string workload;
    std::string task;  ///< "mixed" or "one of each" for every task, "clique+tsp" for these
    std::string level;
    std::string unit;  ///< the unit of `items`
    std::int64_t batch = 0;
    double items = 0;                                    ///< per sample
    std::vector<need> needs;                             ///< per sample; the one that takes longest is the limit
    std::vector<double> seconds;                         ///< raw samples
    std::vector<double> latencies;                       ///< seconds per item, where single items are timed
    std::vector<std::pair<std::string, double>> stages;  ///< median seconds per stage, where there are any
    std::vector<std::pair<std::string, double>> ratios;  ///< a stage's time divided by another's
    std::string why_none;  ///< what this machine lacks, if there are no samples; empty: not for the task

    [[nodiscard]] double rate() const;    ///< items per second, median sample
    [[nodiscard]] double spread() const;  ///< (p90 - p10) / median of the samples
};

/// The p-quantile of unsorted samples, p in [0, 1].
double quantile(std::vector<double> samples, double p);

/// The specs of the first `count` seeds of the task and level.
std::vector<instance_spec> specs_of(setting const& at, std::int64_t count);
/// The random streams for them.
std::vector<draw> draws_of(setting const& at, std::int64_t count);
/// A measurement of one task, where `batch` rows are `batch` items.
measurement start_of(setting const& at, char const* workload, char const* unit, std::int64_t batch);
/// "clique+tsp" for a row over these tasks; `every` where none is chosen.
std::string name_of_tasks(setting const& at, char const* every);
/// The needs of this many move evaluations of the task's local search.
std::vector<need> needs_of_evaluations(std::string_view task, double evaluations);
/// Greedy answers of the task's first `count` instances, where there is a feasible one.
struct search_starts {
    instance_batch instances;
    csr_words answers;
};
search_starts greedy_starts(setting const& at, std::int64_t count);

constexpr std::int64_t step_groups = 384;  ///< prompts of one training step

/// The wall time of a call in seconds.
double seconds_of(std::function<void()> const& call);
double seconds_since(std::chrono::steady_clock::time_point begin);

/// Calls `run` once unmeasured, then until `seconds` have passed, at least five times.
std::vector<double> sample(double seconds, std::function<void()> const& run);

/// Reports a wrong result, which is then not timed.
class wrong_result : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
void expect(bool condition, std::string const& what);

/// How a workload uses the named tasks.
enum class over {
    each_task,  ///< a row for each
    all_tasks,  ///< one row, in which all of them take part
    no_task     ///< no task: the workload has its own data
};

struct workload {
    char const* name;
    char const* measures;
    over tasks;
    measurement (*run)(setting const&);
    bool needs_gpu = false;     ///< runs only on an engine with a usable GPU
    bool needs_search = false;  ///< runs only for tasks with a local search
};
std::span<workload const> workloads();

measurement bench_generate(setting const& at);
measurement bench_generate_sizes(setting const& at);
measurement bench_parse(setting const& at);
measurement bench_verify(setting const& at);
measurement bench_improve(setting const& at);
measurement bench_solve(setting const& at);
/// The kernels of three verbs on batches in device memory, timed with events. This is what a caller gets whose data is
/// on the GPU already. They need a GPU and up to 1.5 GiB of its memory.
measurement bench_device_generate(setting const& at);
measurement bench_device_verify(setting const& at);
measurement bench_device_improve(setting const& at);
/// One call of a resident store over rows of every task (--batch, or 65,536 answers, a step's 6,144, 6,144 searches),
/// called directly and captured as a graph. Ratios compare it with each task's rows alone. They need a GPU. Searches of
/// every task need 7 GiB of its memory, since each row has as many words as the largest answer (chests).
measurement bench_device_mixed_verify(setting const& at);
measurement bench_device_mixed_step(setting const& at);
measurement bench_device_mixed_improve(setting const& at);
/// Batches of 64 rows and more (up to --batch, or 65,536) on the GPU and on the host's cores. Above a ratio of 1 the
/// GPU is faster. The samples are of the largest batch on the GPU.
measurement bench_crossover_generate(setting const& at);
measurement bench_crossover_verify(setting const& at);
measurement bench_crossover_improve(setting const& at);
/// The time until the first call, of a process and of an engine in it.
measurement bench_start_up(setting const& at);
measurement bench_first_call(setting const& at);
measurement bench_mix(setting const& at);
measurement bench_score(setting const& at);
measurement bench_rewards(setting const& at);
measurement bench_advantages(setting const& at);
measurement bench_river(setting const& at);
measurement bench_ranks(setting const& at);
measurement bench_step(setting const& at);
measurement bench_sample_1(setting const& at);
measurement bench_sample_16(setting const& at);
measurement bench_sample_256(setting const& at);
measurement bench_serve_1(setting const& at);
measurement bench_serve_step(setting const& at);
measurement bench_serve_solve(setting const& at);
measurement bench_curriculum(setting const& at);
measurement bench_rollouts(setting const& at);
measurement bench_proposals(setting const& at);
measurement bench_canonical(setting const& at);
measurement bench_judgements(setting const& at);
measurement bench_rubrics(setting const& at);
/// They need an isolation level. The first three measure processor time of all processes, the others
/// wall time.
measurement bench_program_cpp(setting const& at);
measurement bench_program_python(setting const& at);
measurement bench_program_module(setting const& at);
measurement bench_program_slots(setting const& at);
measurement bench_program_beside(setting const& at);
/// Needs SQLite.
measurement bench_store(setting const& at);
measurement bench_pool(setting const& at);

}  // namespace optgap::bench
