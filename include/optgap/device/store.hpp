#pragma once  // Experimental.
// Verbs over columns that lie in a GPU's memory, on the caller's stream. A device_store keeps instances there, made
// once; its verbs read answers, verdicts and rewards where they are, write where they are told, and wait for nothing.
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

/// What one row's search did, as improved_batch has it.
struct search_row {
    std::int64_t start_objective = 0;
    std::int64_t objective = 0;  ///< no_objective when the start was infeasible
    std::int64_t moves = 0;
    std::int64_t evaluations = 0;
    friend bool operator==(search_row const&, search_row const&) = default;
};

/// Where searches put what they found, in device memory: answer blocks as device_answers reads them, and a result a
/// row.
struct device_searches {
    std::int32_t* words = nullptr;
    /// Each row has words_size / rows of them to itself while it is searched: device_set::answer_words() at least, and
    /// no less than its start has. Other memory than the starts' words.
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

/// Instances on a GPU. A copy is the same set; it stays as long as one lives, and is read by work that was queued.
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

/// Baselines on a GPU, one per instance of some set, with the anchors that rewards are to read. As device_set.
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
    /// Bytes of device memory, allocated once: a quarter, 256 MiB at most, is for verbs to work in, the rest for sets.
    /// At least 1 MiB. It is beside engine_options::device_memory, and `engine::release` leaves it alone.
    std::int64_t memory = std::int64_t(256) << 20;
    /// A search of more steps goes on in further launches, with the bytes of one: between two of them others get the
    /// GPU. What a hundred steps take is in docs/resident.md.
    std::int64_t steps_a_launch = 100;
};

struct device_store_statistics {
    std::int64_t memory = 0;   ///< bytes for sets and baselines
    std::int64_t used = 0;     ///< of them
    std::int64_t sets = 0;     ///< that are kept by their specs
    std::int64_t found = 0;    ///< times that a set was there
    std::int64_t made = 0;     ///< times that it was not
    std::int64_t dropped = 0;  ///< sets that nobody held any more and others needed the room of
    std::int64_t calls = 0;    ///< of verify, reward, advantages and improve
};

/// The verbs give the bytes of the engine's on the same rows. Thread-safe; calls follow each other on the GPU in the
/// order they were made, whatever their streams, since they share what they work in. On a stream
/// that captures a graph a verb is recorded and returns 0; its order with other calls is part of the graph, and whoever
/// launches that keeps what it reads and writes. After a call that threw, `wait` comes before a capture.
///
/// Columns are read where they lie: whoever owns one keeps it until the call has run (`ended`, `wait`, or the stream).
/// What a host would have refused is found on the GPU: the row gets a verdict `unparsable`, a reward NaN, and the next
/// call, or `wait`, throws error{invalid_argument} that names it.
class device_store {
public:
    /// On the GPU of `by`, which may go before the store. Throws error{device_unavailable} when it has none.
    explicit device_store(engine const& by, device_store_options const& options = {});
    ~device_store();
    device_store(device_store&&) noexcept;
    device_store& operator=(device_store&&) noexcept;

    /// Instances of these specs: the set that was made of the same ones before, if it is still there, else generated
    /// where they lie, with the words of engine::generate. When there is no room, sets go that nobody holds, those
    /// first that were longest not asked for; throws error{out_of_memory} when that is not enough.
    [[nodiscard]] device_set keep(std::span<instance_spec const> specs);
    /// A copy of these instances, which goes with its last handle.
    [[nodiscard]] device_set keep(instance_view instances);
    [[nodiscard]] device_baselines keep(std::span<baseline const> baselines);

    /// Each verb queues its work behind what `stream` holds, some of it on streams of the store's own that `stream`
    /// goes on behind, and returns its number, from 1 on.
    std::uint64_t verify(device_set const& instances, device_answers const& answers, verdict* out, void* stream);
    /// Each row by its task's spec. `rewards`, where it is given, gets the rows' rewards as a column.
    std::uint64_t reward(device_set const& instances, device_baselines const& baselines,
                         device_rollouts const& rollouts, reward_rules const& rules, reward_row* out, float* rewards,
                         void* stream);
    /// Local searches from given answers, as engine::improve; a task without one leaves every answer as it is. A start
    /// that is longer than its row's room is found on the GPU: the row gets an empty answer and no_objective.
    std::uint64_t improve(device_set const& instances, device_answers const& starts, std::int64_t steps,
                          std::uint64_t seed, device_searches const& out, void* stream);
    /// Of an estimator that reads a group's rewards alone: grpo by group, dr_grpo, rloo, leave_one_out, max_rl, pass_k.
    std::uint64_t advantages(device_rewards const& in, advantage_spec const& spec, float* out, void* stream);

    /// All calls up to this number have run. Does not wait.
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
