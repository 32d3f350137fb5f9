#pragma once
// Instances and their baselines, each known once. Not thread-safe: the scheduler's lock guards it.

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "optgap/scheduler.hpp"

namespace optgap {

struct problem_id_hash {
    std::size_t operator()(problem_id const& id) const;
};

enum class phase : std::int32_t { absent, making, ready };

/// One instance. While it is pinned it stays where it is; its words do not change once they are ready, nor does its
/// baseline, so they may then be read without the lock.
struct problem_entry {
    problem_id id;
    instance_spec spec;
    std::vector<std::int32_t> words;
    baseline base;
    std::string failure;  ///< why it can never be ready
    phase words_phase = phase::absent;
    phase baseline_phase = phase::absent;
    bool baseline_wanted = false;
    bool baseline_kept = false;  ///< wanted beyond the tickets that wait: cancelling them does not save the proof
    bool queued = false;         ///< in a job queue
    bool urgent = false;         ///< in the urgent one: completions wait for it
    std::int64_t pins = 0;       ///< tickets, jobs and callers that hold it
    std::vector<ticket> waiting;

    [[nodiscard]] bool is_generated() const { return id.part >= 0; }
    [[nodiscard]] instance_view view() const { return {&spec.task, {words.data(), ends, 1}}; }
    void set_words(std::span<std::int32_t const> given) {
        words.assign(given.begin(), given.end());
        ends[1] = std::int64_t(words.size());
        words_phase = phase::ready;
    }

private:
    friend class problem_store;
    std::int64_t ends[2] = {0, 0};
    std::list<problem_entry*>::iterator place;        ///< in `idle`, while unpinned
    std::list<problem_entry*>::iterator words_place;  ///< in `idle_words`, while unpinned with words
};

struct cache_counters {
    std::int64_t entries = 0, bytes = 0, hits = 0, misses = 0, evictions = 0;
};

/// Entries that nobody holds are kept in the order of their last use within two limits: words are dropped first, for
/// generating them again is cheap; a baseline goes when there are too many entries.
class problem_store {
public:
    problem_store(std::int64_t words_limit, std::int64_t baseline_limit)
        : words_limit_(words_limit), baseline_limit_(baseline_limit) {}

    /// The entry of an instance, pinned; made when it is not known. Counts a hit or a miss of each cache.
    problem_entry& pin(problem_id const& id, instance_spec const& spec, bool baseline_counts);
    static void pin(problem_entry& entry) { ++entry.pins; }
    /// The last one may destroy the entry.
    void unpin(problem_entry& entry);
    /// To be called after set_words.
    void count_words(problem_entry const& entry);

    [[nodiscard]] cache_counters const& words() const { return words_; }
    [[nodiscard]] cache_counters const& baselines() const { return baselines_; }

private:
    void evict();
    void drop_words(problem_entry& entry);
    void erase(problem_entry& entry);

    std::unordered_map<problem_id, std::unique_ptr<problem_entry>, problem_id_hash> entries_;
    std::list<problem_entry*> idle_;        ///< least recently used last
    std::list<problem_entry*> idle_words_;  ///< the same, of entries with words
    std::int64_t words_limit_;
    std::int64_t baseline_limit_;
    cache_counters words_;
    cache_counters baselines_;
};

}  // namespace optgap
