#pragma once
// The interface of executors, which run batches: their calls are those of host/calls and some of their own. There are
// two executors, and the same call returns the same bytes from both.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/executor/row_runner.hpp"
#include "host/executor/seam.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/shape.hpp"
#include "optgap/advantage.hpp"
#include "optgap/baseline.hpp"
#include "optgap/batch.hpp"
#include "optgap/engine.hpp"
#include "optgap/finish.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// The answers of the constant-policy baseline, one block per instance.
struct floor_call {
    using result = csr_words;
    static constexpr verb which = verb::floor;

    instance_view instances = {};

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] data_place data() const { return place_of(instances.blocks); }
};

struct rewards_call {
    using result = void;
    static constexpr verb which = verb::rewards;

    reward_inputs const& in;
    reward_spec const& spec;
    std::span<reward_row> out;

    [[nodiscard]] std::int64_t rows() const { return in.rollouts; }
    [[nodiscard]] data_place data() const {
        return {in.rollouts * std::int64_t(sizeof(verdict) + 2 * sizeof(std::int32_t)) +
                    in.instances * std::int64_t(sizeof(baseline)),
                memory::host};
    }
};

/// NaN rewards are left out of the statistics and get 0.
struct advantages_call {
    using result = void;
    static constexpr verb which = verb::advantages;

    std::span<float const> rewards;
    std::span<std::int32_t const> group;
    group_rule const& rule;
    std::span<float> out;

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(rewards.size()); }
    [[nodiscard]] data_place data() const { return place_of(rewards) + place_of(group); }
};

/// Groups side by side: group g's rows are [begin[g], begin[g + 1]).
struct rank_inputs {
    std::span<double const> scores;  ///< `columns` a row, row-major; NaN: invalid
    std::int32_t columns;
    std::span<std::int64_t const> begin;
    std::span<sense const> direction;  ///< per group
};

/// For a form that counts_ranks; one value per row.
struct ranks_call {
    using result = void;
    static constexpr verb which = verb::ranks;

    rank_inputs const& in;
    advantage_spec const& spec;
    std::span<double> out;

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(out.size()); }
    [[nodiscard]] data_place data() const { return place_of(in.scores) + place_of(in.begin); }
};

class resident;

using executor_calls = append<shared_calls, floor_call, rewards_call, advantages_call, ranks_call>;

/// Its instances and answers must be well formed.
class executor : public seam<executor_calls> {
public:
    using calls = executor_calls;
    /// Memory of so many bytes for data that stays on the device (optgap/device/store.hpp); nullptr on the CPU.
    [[nodiscard]] virtual std::shared_ptr<resident> make_resident(std::int64_t /*bytes*/) { return nullptr; }
};

class cpu_pool;

/// The options of the CUDA executor, on a GPU that others use too.
struct cuda_options {
    std::int64_t memory_limit = std::int64_t(256) << 20;  ///< bytes of arena and pinned ring together
    void* stream = nullptr;                               ///< the caller's cudaStream_t, or none
    std::int32_t ordinal = -1;                            ///< -1: the calling thread's current device
    double launch_seconds = 1e-3;                         ///< what a launch aims to last at most
    std::int32_t multiprocessors = 0;                     ///< 0: all
    row_runner cores = run_on_this_thread;                ///< for work on many rows on the host
    /// Left by an executor to the next one that is made with these options: pinned host memory, which cannot be
    /// allocated or freed without a wait for all that is queued on the device.
    std::shared_ptr<void> kept = {};
};

/// The least memory_limit: with less, the regions of a slice leave no room for rows.
inline constexpr std::int64_t smallest_memory_limit = std::int64_t(64) << 10;

std::unique_ptr<executor> make_cpu_executor(cpu_pool& pool);
/// Returns nullptr, with a sentence in `why`, when no GPU can be used. Makes the first CUDA call of the process. Sets
/// `options.ordinal` to the GPU it chose.
std::unique_ptr<executor> make_cuda_executor(cuda_options& options, std::string& why);

}  // namespace optgap
