#pragma once
// How much the engine slows down a trainer beside it, and the trainer the engine. A loop as in a trainer and a batch
// verb are measured alone and together, in rounds that take turns, for several budgets of the engine.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/ceilings.hpp"

namespace optgap::bench {

/// Continuous work of a trainer.
struct trainer_loop {
    std::string name;     ///< "multiply_add" and "memory_copy" on a CPU, "matrix_product" and "memory_stream" on a GPU
    std::string unit;     ///< "flop" or "bytes"
    std::string ceiling;  ///< with the loop's own unit; empty: none is measured
    /// Runs on the calling thread until `stop`. Returns units per second over the pieces that had ended by then.
    std::function<double(std::atomic<bool> const& stop)> run;
};

/// One loop multiplies and adds floats, one copies memory, each on one thread, like a trainer's data loader or
/// optimizer on the host. Needs 256 MiB.
std::vector<trainer_loop> cpu_loops();
/// bf16 matrix products on the tensor cores, and a memory-bound loop, on a stream of default priority and timed with
/// events. Empty without CUDA or without a GPU. Throws error{device_failed} when the GPU fails and wrong_result when a
/// product is wrong. Needs 0.5 GiB of device memory.
std::vector<trainer_loop> gpu_loops();
/// The multiprocessors of the current GPU; 0 without one.
std::int32_t gpu_multiprocessors();

/// The engine's budget: one point of the curve.
struct budget {
    std::int32_t threads = 0;
    std::int32_t multiprocessors = 0;  ///< 0: all
    std::int32_t launch_microseconds = 1000;
    bool is_default = false;  ///< the budget of a default engine
    bool apart = false;       ///< in a process of its own: a daemon that receives the calls
};

/// Rates per second.
struct interference_round {
    double loop_alone = 0;
    double engine_alone = 0;
    double loop_beside = 0;
    double engine_beside = 0;

    [[nodiscard]] double slowdown() const { return loop_alone / loop_beside - 1; }
    [[nodiscard]] double kept() const { return engine_beside / engine_alone; }
};

/// Whether the trainer's loop slows down by at most `largest_slowdown`: `yes` when nine rounds of ten show it, `no`
/// when most rounds contradict it, else the rounds differ too much to tell.
enum class claim : std::int32_t { no, unclear, yes };
constexpr double largest_slowdown = 0.02;

struct interference {
    std::string loop;
    std::string loop_unit;
    std::string workload;  ///< of the engine
    std::string unit;      ///< of the engine's rate
    device where = device::cpu;
    budget of;
    std::int64_t batch = 0;               ///< rows per engine call
    std::vector<need> loop_needs = {};    ///< per unit of the loop
    std::vector<need> engine_needs = {};  ///< per row
    std::vector<interference_round> rounds = {};

    /// The median over the rounds. A slowdown of 0.02 means that the loop takes 2 % longer.
    [[nodiscard]] double median(double (*of_round)(interference_round const&)) const {
        return quantile_of(of_round, 0.5);
    }
    [[nodiscard]] double spread(double (*of_round)(interference_round const&)) const {
        return quantile_of(of_round, 0.9) - quantile_of(of_round, 0.1);
    }
    [[nodiscard]] double quantile_of(double (*of_round)(interference_round const&), double p) const;
    [[nodiscard]] claim slowdown_holds() const;
};

struct interference_setting {
    engine_options options = {};           ///< for the engine under test; budgets are set on top
    std::vector<std::int32_t> tasks = {};  ///< tasks of the engine's rows, in turn
    difficulty level = difficulty::benchmark();
    std::int64_t steps = 200;   ///< of improve
    double seconds = 1.0;       ///< per row of the curve
    bool quick = false;         ///< at most three budgets and three rounds
    bool only_default = false;  ///< of a GPU's budgets only the default
    std::string program = {};   ///< its `serve` is a daemon for the default budget again; empty: no daemon
};

/// The points of the curve, from the largest budget down.
std::vector<budget> budgets(interference_setting const& at, device where);
/// Measures rows for every loop, verb and budget on that device. Calls `seen` with each as soon as it is measured.
std::vector<interference> measure_interference(interference_setting const& at, device where,
                                               std::function<void(interference const&)> const& seen);

/// One round: each alone for `seconds`, then both together for as long; in the opposite order when `reversed`. `call`
/// is one engine call on `rows` rows. The loop continues until the last call has ended.
interference_round measure_round(trainer_loop const& loop, std::function<void()> const& call, std::int64_t rows,
                                 double seconds, bool reversed);

}  // namespace optgap::bench
