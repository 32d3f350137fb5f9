#pragma once
// Measurements of the engine's batch verbs. Each workload checks its result before it is timed; a sample is one call on
// one batch, and rates are over the median sample.

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::bench {

/// One point of the axes task × level × batch × device.
struct setting {
    engine const& by;
    std::int32_t task = 0;
    difficulty level = difficulty::benchmark();
    std::int64_t batch = 0;            ///< 0: the workload's own
    std::int64_t text_bytes = 63'000;  ///< of a rollout, for parse and score
    std::int64_t steps = 200;          ///< of improve
    double seconds = 1.0;              ///< time to sample for
};

struct measurement {
    std::string workload;
    std::string task;  ///< "mixed" where all tasks take part
    std::string level;
    std::string unit;  ///< what `items` counts
    std::int64_t batch = 0;
    double items = 0;                                    ///< per sample
    std::string ceiling = {};                            ///< that bounds it (bench/ceilings.hpp); empty: none known
    double needs = 0;                                    ///< of the ceiling's unit, at the least, per sample
    std::vector<double> seconds;                         ///< raw samples
    std::vector<double> latencies;                       ///< seconds per item, where items are timed one by one
    std::vector<std::pair<std::string, double>> stages;  ///< median seconds per stage, where there are any

    [[nodiscard]] double rate() const;    ///< items per second, median sample
    [[nodiscard]] double spread() const;  ///< (p90 - p10) / median of the samples
};

/// p in [0, 1] of unsorted samples.
double quantile(std::vector<double> samples, double p);

/// Calls `run` once unmeasured, then until `seconds` have passed, at least five times.
std::vector<double> sample(double seconds, std::function<void()> const& run);

/// Thrown when a result is wrong: nothing is timed then.
class wrong_result : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
void expect(bool condition, std::string const& what);

struct workload {
    char const* name;
    char const* measures;
    bool per_task;
    measurement (*run)(setting const&);
};
std::span<workload const> workloads();

measurement bench_generate(setting const& at);
measurement bench_parse(setting const& at);
measurement bench_verify(setting const& at);
measurement bench_improve(setting const& at);
measurement bench_solve(setting const& at);
measurement bench_mix(setting const& at);
measurement bench_score(setting const& at);
measurement bench_rewards(setting const& at);
measurement bench_advantages(setting const& at);
measurement bench_river(setting const& at);
measurement bench_step(setting const& at);
measurement bench_sample_1(setting const& at);
measurement bench_sample_16(setting const& at);
measurement bench_sample_256(setting const& at);
measurement bench_rollouts(setting const& at);

}  // namespace optgap::bench
