#pragma once  // Experimental.
// Verbs over columns that lie in a GPU's memory, on the caller's stream. A device_store keeps instances there, made
// once; its verbs read answers, verdicts and rewards in place, write to the caller's columns, and wait for nothing.
// Needs no CUDA header: a stream is a cudaStream_t, 1 the legacy default stream, 2 the calling thread's.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "optgap/advantage.hpp"
#include "optgap/batch.hpp"
#include "optgap/engine.hpp"
#include "optgap/finish.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// Answer blocks (optgap/answer.hpp) in device memory.
struct device_answers {
    std::int32_t const* words = nullptr;
    std::int64_t words_size = 0;
    std::int64_t const* offsets = nullptr;  ///< rows + 1 of them
    std::int64_t rows = 0;
    std::int32_t const* instance_of = nullptr;  ///< none: row r is of instance r
};

/// Rollouts in device memory, as `reward` reads them.
struct device_rollouts {
    verdict const* verdicts = nullptr;
    std::int64_t rows = 0;
    std::int32_t const* instance_of = nullptr;  ///< none: row r is of instance r
    std::int32_t const* format_code = nullptr;  ///< none: every format holds
    finish const* finished = nullptr;           ///< none: unknown
    std::int32_t const* length = nullptr;       ///< tokens; needed where the spec reads_lengths
};

struct device_rewards {
    float const* rewards = nullptr;  ///< NaN: the row takes no part and gets 0
    std::int32_t const* group = nullptr;
    std::int64_t rows = 0;
};

/// The result of one row's search, as in improved_batch.
struct search_row {
    std::int64_t start_objective = 0;
    std::int64_t objective = 0;  ///< no_objective when the start was infeasible
    std::int64_t moves = 0;
    std::int64_t evaluations = 0;
    friend bool operator==(search_row const&, search_row const&) = default;
};

/// The output of searches, in device memory: answer blocks as device_answers reads them, and one result per row.
struct device_searches {
    std::int32_t* words = nullptr;
    /// Each row has words_size / rows words to itself while it is searched: at least device_set::answer_words(), and no
    /// fewer than its start has. The memory must be another than that of the starts' words.
    std::int64_t words_size = 0;
    std::int64_t* offsets = nullptr;  ///< rows + 1 of them
    search_row* rows = nullptr;
};

/// A set's instances as columns in device memory: row i is words[offsets[i], offsets[i + 1]).
struct device_instances {
    std::int32_t const* task = nullptr;
    std::int32_t const* words = nullptr;
    std::int64_t const* offsets = nullptr;
    std::int64_t rows = 0;
    std::int64_t words_size = 0;
};

struct resident_set;
struct resident_baselines;

/// Instances on a GPU. A copy is the same set, which stays as long as a copy lives or queued work reads it.
class device_set {
public:
    device_set() = default;
    [[nodiscard]] std::int64_t size() const;
    /// Words of the largest answer block that a search of its instances may write.
    [[nodiscard]] std::int64_t answer_words() const;
    /// Its memory, to be read on any stream as long as a handle lives. The store does not know when that work ends:
    /// once the last handle of such a set is gone, its next `keep` waits for the device.
    [[nodiscard]] device_instances lend() const;

private:
    friend class device_store;
    explicit device_set(std::shared_ptr<resident_set const> placed) : placed_(std::move(placed)) {}
    std::shared_ptr<resident_set const> placed_;
};

/// Baselines on a GPU, one per instance of some set, with the anchors that rewards are to read. Copies behave as those
/// of device_set.
class device_baselines {
public:
    device_baselines() = default;
    [[nodiscard]] std::int64_t size() const;

private:
    friend class device_store;
    explicit device_baselines(std::shared_ptr<resident_baselines const> placed) : placed_(std::move(placed)) {}
    std::shared_ptr<resident_baselines const> placed_;
};

struct device_store_options {
    /// Bytes of device memory, allocated once: a quarter, 256 MiB at most, is working memory of the verbs, the rest is
    /// for sets. At least 1 MiB. It comes on top of engine_options::device_memory, and `engine::release` does not free
    /// it.
    std::int64_t memory = std::int64_t(256) << 20;
    /// A search of more steps continues in further launches, with the same result; others get the GPU between two
    /// launches. docs/resident.md has the time of a hundred steps.
    std::int64_t steps_a_launch = 100;
};

struct device_store_statistics {
    std::int64_t memory = 0;   ///< bytes for sets and baselines
    std::int64_t used = 0;     ///< of them
    std::int64_t sets = 0;     ///< that are kept by their specs
    std::int64_t found = 0;    ///< times that a set was there
    std::int64_t made = 0;     ///< times that it was not
    std::int64_t dropped = 0;  ///< sets without a handle, dropped to make room for others
    std::int64_t calls = 0;    ///< of verify, reward, advantages and improve
};

/// The verbs give the bytes of the engine's on the same rows. Thread-safe; calls follow each other on the GPU in the
/// order they were made, whatever their streams, since they share what they work in. On a stream
/// that captures a graph a verb is recorded and returns 0; its order with other calls is part of the graph, and the
/// caller that launches the graph keeps alive what it reads and writes. After a call that threw, call `wait` before a
/// capture.
///
/// Columns are read in place: their owner keeps them until the call has run (`ended`, `wait`, or the stream). Input
/// that the host would have refused is found on the GPU: the row gets a verdict `unparsable`, a reward NaN, and the
/// next call, or `wait`, throws error{invalid_argument} that names it.
class device_store {
public:
    /// On the GPU of `by`, which may be destroyed before the store. Throws error{device_unavailable} when it has none.
    explicit device_store(engine const& by, device_store_options const& options = {});
    ~device_store();
    device_store(device_store&&) noexcept;
    device_store& operator=(device_store&&) noexcept;

    /// Instances of these specs: the set that was made of the same ones before, if it is still there, else generated on
    /// the GPU, with the words of engine::generate. When there is no room, sets without a handle are dropped, the least
    /// recently requested first; throws error{out_of_memory} when that is not enough.
    [[nodiscard]] device_set keep(std::span<instance_spec const> specs);
    /// A copy of these instances, which is freed with its last handle.
    [[nodiscard]] device_set keep(instance_view instances);
    [[nodiscard]] device_baselines keep(std::span<baseline const> baselines);

    /// Each verb queues its work behind what `stream` holds, and returns the call's number, from 1 on. Some of the work
    /// runs on streams of the store's own, for which `stream` then waits.
    std::uint64_t verify(device_set const& instances, device_answers const& answers, verdict* out, void* stream);
    /// Rewards each row by its task's spec. `rewards`, where it is given, gets the rows' rewards as a column.
    std::uint64_t reward(device_set const& instances, device_baselines const& baselines,
                         device_rollouts const& rollouts, reward_rules const& rules, reward_row* out, float* rewards,
                         void* stream);
    /// Local searches from given answers, as engine::improve; a task without one leaves every answer as it is. A start
    /// that is longer than its row's room is found on the GPU: the row gets an empty answer and no_objective.
    std::uint64_t improve(device_set const& instances, device_answers const& starts, std::int64_t steps,
                          std::uint64_t seed, device_searches const& out, void* stream);
    /// Advantages by an estimator that reads a group's rewards alone: grpo by group, dr_grpo, rloo, leave_one_out,
    /// max_rl, pass_k.
    std::uint64_t advantages(device_rewards const& in, advantage_spec const& spec, float* out, void* stream);

    /// The number up to which all calls have run. Does not wait.
    [[nodiscard]] std::uint64_t ended();
    /// Waits for all calls, and throws what they found wrong.
    void wait();

    [[nodiscard]] int ordinal() const;  ///< of the GPU
    [[nodiscard]] device_store_statistics statistics() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// One JSON object with the names above.
std::string to_json(device_store_statistics const& statistics);

}  // namespace optgap
