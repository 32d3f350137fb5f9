#pragma once
// Baselines known once per node: identical instances are proven once, also when several clients ask at the same time.

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include "host/calls/calls.hpp"
#include "optgap/engine.hpp"

namespace optgap::serve {

struct cache_statistics {
    std::int64_t entries = 0, bytes = 0, hits = 0, misses = 0, evictions = 0;
    std::int64_t joins = 0;  ///< rows that another call was proving already
};

/// Thread-safe. Entries are compared in full, so that no hash decides about a baseline. The least recently used ones
/// go when they take more than the limit; one that is being proven is held by who waits for it.
class baseline_cache {
public:
    explicit baseline_cache(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

    /// What by.solve says of the call, proving only what nobody has proven or is proving. Proofs run a few rows at a
    /// time, so that two callers take turns. A call finishes its own rows before it waits for others': no two wait for
    /// each other.
    solved_batch solve(engine const& by, solve_call const& call);
    [[nodiscard]] cache_statistics statistics() const;

private:
    struct entry;
    /// An instance, a budget and a start that somebody asks about. With another start a proof finds another answer.
    struct question {
        std::int32_t task;
        std::int64_t budget;
        std::span<std::int32_t const> words;
        std::span<std::int32_t const> start;
        std::size_t hash;
    };
    struct entry {
        std::int32_t task = 0;
        std::int64_t budget = 0;
        std::size_t hash = 0;
        std::vector<std::int32_t> words;
        std::vector<std::int32_t> start;  ///< a block, empty for none
        std::vector<std::int32_t> answer;
        baseline row;
        enum { making, ready, failed } state = making;
        std::list<entry*>::iterator place;  ///< in `recent_`, when ready
        [[nodiscard]] std::int64_t bytes() const;
    };
    struct by_content {
        using is_transparent = void;
        std::size_t operator()(question const& q) const { return q.hash; }
        std::size_t operator()(std::shared_ptr<entry> const& e) const { return e->hash; }
        bool operator()(std::shared_ptr<entry> const& a, std::shared_ptr<entry> const& b) const { return a == b; }
        bool operator()(question const& q, std::shared_ptr<entry> const& e) const;
        bool operator()(std::shared_ptr<entry> const& e, question const& q) const { return operator()(q, e); }
    };
    using entries = std::vector<std::shared_ptr<entry>>;

    std::shared_ptr<entry> find_or_claim(question const& q, bool& mine);
    void prove(engine const& by, entries const& claimed, std::int64_t budget);
    void publish(std::span<std::shared_ptr<entry> const> done, solved_batch const& found);
    void give_up(std::span<std::shared_ptr<entry> const> left);
    void evict();

    mutable std::mutex lock_;
    std::condition_variable proven_;
    std::unordered_set<std::shared_ptr<entry>, by_content, by_content> entries_;
    std::list<entry*> recent_;  ///< least recently used last
    std::int64_t most_bytes_;
    cache_statistics count_;
};

}  // namespace optgap::serve
