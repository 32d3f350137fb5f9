#pragma once
// Instances, each known once, with the baselines of those that a ticket or a caller holds. Not thread-safe: the
// scheduler's lock guards it.

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/baselines/baseline_source.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

struct problem_id_hash {
    std::size_t operator()(problem_id const& id) const;
};

enum class phase : std::int32_t { absent, making, ready };

/// One instance. While it is pinned it stays where it is; its words do not change once they are ready, nor does its
/// baseline, so they may then be read without the lock. Once no holder is left, only the source has the baseline.
struct problem_entry {
    problem_id id;
    instance_spec spec;
    std::vector<std::int32_t> words;
    instance_hash hash;  ///< of the words, once they are ready
    baseline base;
    std::string failure;  ///< why it can never be ready
    phase words_phase = phase::absent;
    phase baseline_phase = phase::absent;
    bool baseline_wanted = false;
    bool baseline_kept = false;  ///< wanted beyond the tickets that wait: cancelling them does not save the proof
    bool queued = false;         ///< in a job queue
    bool urgent = false;         ///< in the urgent one: completions wait for it
    std::int64_t pins = 0;       ///< tickets, jobs and callers that hold it
    std::int64_t undecided = 0;  ///< of them, those before its words, which show whether its baseline is there
    std::vector<ticket> waiting;

    [[nodiscard]] bool is_generated() const { return id.part >= 0; }
    [[nodiscard]] instance_view view() const { return {&spec.task, {words.data(), ends, 1}}; }
    /// How a key makes it; task -1 for a user's own.
    [[nodiscard]] instance_spec keyed() const { return is_generated() ? spec : instance_spec{-1, {}, split::train, 0}; }
    void set_words(std::span<std::int32_t const> given) {
        words.assign(given.begin(), given.end());
        ends[1] = std::int64_t(words.size());
        hash = hash_words(words);
        words_phase = phase::ready;
    }

private:
    friend class problem_store;
    std::int64_t ends[2] = {0, 0};
    std::list<problem_entry*>::iterator place;  ///< in `idle`, while unpinned
};

struct cache_counters {
    std::int64_t entries = 0, bytes = 0, hits = 0, misses = 0, evictions = 0;
};

/// Entries without a holder are kept in the order of their last use while all take no more than a limit. Their
/// baselines outlive them in the source.
class problem_store {
public:
    problem_store(std::int64_t limit, baseline_source& source, std::int64_t budget)
        : limit_(limit), source_(source), budget_(budget) {}

    /// The entry of an instance, pinned; made when it is not known, with its baseline where the source remembers it.
    /// Counts a hit or a miss of words and, where `baseline_counts`, of baselines.
    problem_entry& pin(problem_id const& id, instance_spec const& spec, bool baseline_counts);
    static void pin(problem_entry& entry) { ++entry.pins; }
    /// The last one may destroy the entry.
    void unpin(problem_entry& entry);
    void set_words(problem_entry& entry, std::span<std::int32_t const> words);

    /// With what an entry takes beside its words: itself, its map node and a list node.
    static std::int64_t bytes_of(problem_entry const& entry) {
        return std::int64_t(sizeof(problem_entry) + 96 + entry.words.size() * sizeof(std::int32_t));
    }
    [[nodiscard]] cache_counters const& words() const { return words_; }
    [[nodiscard]] std::int64_t baseline_hits() const { return baseline_hits_; }
    [[nodiscard]] std::int64_t baseline_misses() const { return baseline_misses_; }

private:
    void recall(problem_entry& entry);
    void erase(problem_entry& entry);

    std::unordered_map<problem_id, std::unique_ptr<problem_entry>, problem_id_hash> entries_;
    std::list<problem_entry*> idle_;  ///< all with words; least recently used last
    std::int64_t limit_;
    baseline_source& source_;
    std::int64_t budget_;
    cache_counters words_;
    std::int64_t baseline_hits_ = 0, baseline_misses_ = 0;
};

}  // namespace optgap
