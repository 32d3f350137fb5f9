#pragma once
// Baselines of a run, each from the first place that has it: given in the row, the run's snapshot, a store, what this
// process has proven already, a proof. One memory, one budget in bytes, one set of counters for everybody who asks.
//
//   baseline_source source(engine, {.layers = {layer_of(snapshot)}});
//   for (sourced_baseline const& one : source.prove({.instances = batch.view(), .specs = specs, .budget = 1000})) {
//       one.damage.empty() ? use(one.value) : reject("baselines", one.damage);
//   }
//
// Frozen for a run: the first value of an instance is its value for as long as the source lives. What is forgotten for
// lack of room comes back the same, from a proof, which repeats itself, or from a layer that never changes; what a
// layer that may change has given is not forgotten (`baseline_layer::fixed`).

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
    found,    ///< there is a value, or a damaged row in the place of one
    proving,  ///< somebody is proving it
    absent,   ///< nobody knows it
};

/// In the order in which places are asked.
enum class baseline_from : std::int32_t { given, snapshot, store, memory, proof };

/// What a row is measured against.
struct sourced_baseline {
    baseline value;
    baseline_state state = baseline_state::absent;
    baseline_from from = baseline_from::proof;
    std::string damage;  ///< of a frozen row that is not what was written: there is no value, and this says why
};

/// One instance that is asked about.
struct baseline_question {
    std::int32_t task = 0;
    /// How it is generated, so that a proof begins with what its generator planted; task -1: a user's own. The same
    /// words with and without a key are two questions, whoever asks first.
    instance_spec spec = {-1, {}, split::train, 0};
    std::span<std::int32_t const> words = {};
    std::span<std::int32_t const> start = {};  ///< a block to begin a proof with in place of the planted one
    std::int64_t budget = -1;                  ///< of a proof, as in engine::solve
};

/// Instances that are asked about. Spans are borrowed for the call.
struct baseline_query {
    instance_view instances = {};
    std::span<instance_spec const> specs = {};            ///< one a row, as baseline_question; empty: all users' own
    std::span<std::optional<baseline> const> given = {};  ///< one a row, what the row brings; empty: nothing
    csr_view starts = {};                                 ///< one a row, empty for none; no rows: none at all
    std::int64_t budget = -1;

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] baseline_question question(std::int64_t row) const;
};

/// A place where baselines lie that were made before the run.
struct baseline_layer {
    baseline_from from = baseline_from::snapshot;
    /// Its baseline of an instance of `task`; nullopt where it has none. Called by any thread, several at once, without
    /// a lock held. store::damaged_row is that row's damage; anything else that it throws ends the call.
    std::function<std::optional<baseline>(std::int32_t task, instance_spec const& spec,
                                          std::span<std::int32_t const> words)>
        find;
    /// It never changes: what it gave may be forgotten and asked for again.
    bool fixed = true;
    std::function<std::string()> sentence = {};  ///< on what it has given
};

/// A snapshot, or a store's generation, as a layer that keeps it alive.
baseline_layer layer_of(std::shared_ptr<store::snapshot> frozen);
baseline_layer layer_of(std::shared_ptr<store::generation> pinned);

/// Bytes of what a source remembers where nobody says otherwise.
inline constexpr std::int64_t usual_baseline_bytes = std::int64_t(256) << 20;

struct baseline_source_options {
    std::vector<baseline_layer> layers = {};    ///< asked in this order, once an instance
    std::int64_t bytes = usual_baseline_bytes;  ///< of what is remembered; the least recently used go first
    /// Rows a thread of the engine that one call proves before another caller's turn; 0: all of them at once.
    std::int64_t rows_per_turn = 0;
    /// Words, starts and answers are kept, too: no hash decides which instance it is, and `prove` gives answers.
    bool whole = false;
};

struct baseline_counts {
    std::int64_t given = 0;               ///< rows that brought their own
    std::int64_t from_snapshot = 0;       ///< instances
    std::int64_t from_store = 0;          ///< instances
    std::int64_t from_memory = 0;         ///< rows whose instance was there already
    std::int64_t joined = 0;              ///< rows whose instance another row was waiting for already
    std::int64_t claimed = 0;             ///< rows that were the first to want their instance
    std::int64_t proven = 0;              ///< instances
    std::int64_t evicted = 0;             ///< instances
    std::int64_t damaged = 0;             ///< frozen rows
    std::int64_t entries = 0, bytes = 0;  ///< now, those under way among them
};

/// Thread-safe. Its lock is its own and is held for no read of a file and no proof: another lock may be held where
/// nothing but `recall` is called. A fork's child makes a source of its own.
class baseline_source {
public:
    /// `by` proves and must outlive the source.
    explicit baseline_source(engine const& by, baseline_source_options options = {});
    ~baseline_source();
    baseline_source(baseline_source const&) = delete;
    baseline_source& operator=(baseline_source const&) = delete;

    /// What is known of each row without proving anything. Layers are read.
    std::vector<sourced_baseline> find(baseline_query const& asked);
    /// The same, and what is absent is proven: once, however many rows and callers want it at the same time. All rows
    /// are found. A call ends its own proofs before it waits for others': no two wait for each other. What a proof or a
    /// layer throws ends the call, and leaves what it has not proven to whoever asks next. `answers`, of a whole
    /// source: what proves them, a block a row, empty for none.
    std::vector<sourced_baseline> prove(baseline_query const& asked, csr_words* answers = nullptr);
    /// What this process knows of it already: no file is read, nobody is waited for.
    [[nodiscard]] std::optional<baseline> recall(baseline_question const& one, instance_hash words);

    [[nodiscard]] baseline_counts counts() const;
    [[nodiscard]] baseline_source_options const& options() const { return options_; }
    /// What the layers have given, and what of it was damaged; empty without layers.
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
    /// An entry that this call is to fill, and a row that asks for it.
    struct claim {
        std::shared_ptr<entry> of;
        std::int64_t row;
    };

    [[nodiscard]] asked_entry entry_of(baseline_question const& one, instance_hash words) const;
    std::shared_ptr<entry> find_or_claim(asked_entry const& one, bool& mine);
    /// Of a question that no memory answers. nullopt: no layer has it.
    [[nodiscard]] std::optional<sourced_baseline> ask_layers(baseline_question const& one, bool& fixed) const;
    /// Settles the claims that layers answer; the others are left.
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
    std::list<entry*> recent_;  ///< those that may be forgotten, the least recently used last
    baseline_counts count_;
};

/// A source of somebody's own behind what `known` says, which may be empty. It is asked once an instance, and what it
/// says is not forgotten.
std::shared_ptr<baseline_source> own_baselines(engine const& by, decltype(baseline_layer::find) known,
                                               std::int64_t bytes = usual_baseline_bytes);

}  // namespace optgap
