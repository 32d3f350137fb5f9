#pragma once
// The baselines of a run, each from the first place that has it: given in the row, the run's snapshot, a store, the
// memory of this process, a proof. All callers share one memory, one budget in bytes and one set of counters.
//
//   baseline_source source(engine, {.layers = {layer_of(snapshot)}});
//   for (sourced_baseline const& one : source.prove({.instances = batch.view(), .specs = specs, .budget = 1000})) {
//       one.damage.empty() ? use(one.value) : reject("baselines", one.damage);
//   }
//
// Baselines are frozen for a run: the first value of an instance stays its value as long as the source lives. A value
// that is evicted for lack of room comes back the same, from a proof, which is deterministic, or from a layer that
// never changes. A value from a layer that may change is not evicted (`baseline_layer::fixed`).

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

namespace store {
class generation;
class snapshot;
}  // namespace store

enum class baseline_state : std::int32_t {
    found,    ///< there is a value, or a damaged row in place of one
    proving,  ///< a caller is proving it
    absent,   ///< no place has it
};

/// In the order in which the places are tried.
enum class baseline_from : std::int32_t { given, snapshot, store, memory, proof };

/// The baseline of a row, and the place it came from.
struct sourced_baseline {
    baseline value;
    baseline_state state = baseline_state::absent;
    baseline_from from = baseline_from::proof;
    std::string damage;  ///< for a damaged row of a store: why there is no value
};

/// A request for the baseline of one instance.
struct baseline_question {
    std::int32_t task = 0;
    /// How it is generated, so that a proof begins with the answer that its generator planted; task -1: a user's own.
    /// The same words with and without a key are two questions.
    instance_spec spec = {-1, {}, split::train, 0};
    std::span<std::int32_t const> words = {};
    std::span<std::int32_t const> start = {};  ///< a block to begin a proof with in place of the planted one
    std::int64_t budget = -1;                  ///< of a proof, as in engine::solve
};

/// A request for the baselines of several instances. Spans are borrowed for the call.
struct baseline_query {
    instance_view instances = {};
    std::span<instance_spec const> specs = {};  ///< one per row, as in baseline_question; empty: all users' own
    std::span<std::optional<baseline> const> given = {};  ///< one per row, given by the row; empty: none given
    csr_view starts = {};                                 ///< one per row, empty for none; no rows: none at all
    std::int64_t budget = -1;

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] baseline_question question(std::int64_t row) const;
};

/// A place with baselines that were made before the run.
struct baseline_layer {
    baseline_from from = baseline_from::snapshot;
    /// The layer's baseline of an instance of `task`; nullopt where it has none. Called by any thread, several at once,
    /// without a lock held. A store::damaged_row becomes that row's damage; any other exception ends the call.
    std::function<std::optional<baseline>(std::int32_t task, instance_spec const& spec,
                                          std::span<std::int32_t const> words)>
        find;
    /// Whether the layer never changes, so that its values may be evicted and read again.
    bool fixed = true;
    std::function<std::string()> sentence = {};  ///< on the baselines that it has given
};

/// A snapshot, or a store's generation, as a layer that keeps it alive.
baseline_layer layer_of(std::shared_ptr<store::snapshot> frozen);
baseline_layer layer_of(std::shared_ptr<store::generation> pinned);

/// The default for the bytes of a source's memory.
inline constexpr std::int64_t usual_baseline_bytes = std::int64_t(256) << 20;

struct baseline_source_options {
    std::vector<baseline_layer> layers = {};    ///< tried in this order, once per instance
    std::int64_t bytes = usual_baseline_bytes;  ///< of the memory; the least recently used entries are evicted first
    /// Rows per thread of the engine that one call proves before another caller's turn; 0: all of them at once.
    std::int64_t rows_per_turn = 0;
    /// Also keeps words, starts and answers: instances are compared by words, not by hashes, and `prove` gives answers.
    bool whole = false;
};

struct baseline_counts {
    std::int64_t given = 0;               ///< rows with a baseline of their own
    std::int64_t from_snapshot = 0;       ///< instances
    std::int64_t from_store = 0;          ///< instances
    std::int64_t from_memory = 0;         ///< rows whose instance was there already
    std::int64_t joined = 0;              ///< rows whose instance was already being proven for another row
    std::int64_t claimed = 0;             ///< rows that were the first to request their instance
    std::int64_t proven = 0;              ///< instances
    std::int64_t evicted = 0;             ///< instances
    std::int64_t damaged = 0;             ///< frozen rows
    std::int64_t entries = 0, bytes = 0;  ///< at present, with those under way
};

/// Thread-safe. It does not hold its lock while it reads a file or proves; a caller may hold another lock only if it
/// calls nothing but `recall`. A forked child makes a source of its own.
class baseline_source {
public:
    /// `by` proves and must outlive the source.
    explicit baseline_source(engine const& by, baseline_source_options options = {});
    ~baseline_source();
    baseline_source(baseline_source const&) = delete;
    baseline_source& operator=(baseline_source const&) = delete;

    /// Finds the baseline of each row without proving any. Reads layers.
    std::vector<sourced_baseline> find(baseline_query const& asked);
    /// The same, and proves absent baselines: once, however many rows and callers request one at the same time. All
    /// rows are found. A call ends its own proofs before it waits for those of others, so no two calls wait for each
    /// other. An exception of a proof or a layer ends the call, and leaves its unproven rows to the next caller.
    /// `answers`, for a `whole` source: the answers of the baselines, one block per row, empty for none.
    std::vector<sourced_baseline> prove(baseline_query const& asked, csr_words* answers = nullptr);
    /// The value in this process's memory; reads no file and waits for no other caller.
    [[nodiscard]] std::optional<baseline> recall(baseline_question const& one, instance_hash words);

    [[nodiscard]] baseline_counts counts() const;
    [[nodiscard]] baseline_source_options const& options() const { return options_; }
    /// A sentence on what the layers have given and what was damaged; empty without layers.
    [[nodiscard]] std::string sentence() const;

private:
    struct entry;
    struct asked_entry;
    struct by_content {
        using is_transparent = void;
        std::size_t operator()(asked_entry const& q) const;
        std::size_t operator()(std::shared_ptr<entry> const& e) const;
        bool operator()(std::shared_ptr<entry> const& a, std::shared_ptr<entry> const& b) const { return a == b; }
        bool operator()(asked_entry const& q, std::shared_ptr<entry> const& e) const;
        bool operator()(std::shared_ptr<entry> const& e, asked_entry const& q) const { return operator()(q, e); }
    };
    /// An entry that this call must fill, and a row that requests it.
    struct claim {
        std::shared_ptr<entry> of;
        std::int64_t row;
    };

    [[nodiscard]] asked_entry entry_of(baseline_question const& one, instance_hash words) const;
    std::shared_ptr<entry> find_or_claim(asked_entry const& one, bool& mine);
    /// Reads the layers for a question without an entry in memory. nullopt: no layer has it.
    [[nodiscard]] std::optional<sourced_baseline> ask_layers(baseline_question const& one, bool& fixed) const;
    /// Settles the claims that layers answer, and returns the others.
    std::vector<claim> read_layers(baseline_query const& asked, std::vector<claim> claimed);
    void prove_claimed(baseline_query const& asked, std::span<claim const> claimed);
    void settle(entry& one, sourced_baseline&& found, bool fixed, std::span<std::int32_t const> answer);
    void give_up(std::span<claim const> left);
    void touch(entry& one);
    void evict();

    engine const& by_;
    baseline_source_options const options_;
    mutable std::mutex lock_;
    std::condition_variable settled_;
    std::unordered_set<std::shared_ptr<entry>, by_content, by_content> entries_;
    std::list<entry*> recent_;  ///< those that may be evicted, the least recently used last
    baseline_counts count_;
};

/// A caller's own source, with `known`, which may be empty, as its layer. `known` is called once per instance, and its
/// values are not evicted.
std::shared_ptr<baseline_source> own_baselines(engine const& by, decltype(baseline_layer::find) known,
                                               std::int64_t bytes = usual_baseline_bytes);

}  // namespace optgap
