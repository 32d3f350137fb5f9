#include "host/scheduler/problem_store.hpp"

namespace optgap {

namespace {

/// What an entry takes beside its words: itself, its map node and two list nodes.
constexpr std::int64_t entry_bytes = sizeof(problem_entry) + 128;

std::int64_t bytes_of(problem_entry const& entry) { return std::int64_t(entry.words.size() * sizeof(std::int32_t)); }

}  // namespace

problem_id id_of(problem const& of) {
    if (of.words.empty()) {
        return {of.spec.task, of.spec.level.code, std::int32_t(of.spec.part), 0, of.spec.seed};
    }
    instance_hash const hash = hash_words(of.words);
    return {of.spec.task, 0, -1, hash.high, hash.low};
}

std::size_t problem_id_hash::operator()(problem_id const& id) const {
    auto const mix = [](std::uint64_t x) {
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
        return x ^ (x >> 32);
    };
    std::uint64_t const kind = std::uint64_t(std::uint32_t(id.task)) << 40 ^
                               std::uint64_t(std::uint32_t(id.part)) << 32 ^ std::uint64_t(std::uint32_t(id.level));
    return std::size_t(mix(mix(mix(kind) ^ id.high) ^ id.low));
}

problem_entry& problem_store::pin(problem_id const& id, instance_spec const& spec, bool baseline_counts) {
    auto [found, fresh] = entries_.try_emplace(id);
    if (fresh) {
        found->second = std::make_unique<problem_entry>();
        found->second->id = id;
        found->second->spec = spec;
        ++baselines_.entries;
        baselines_.bytes += entry_bytes;
    }
    problem_entry& entry = *found->second;
    if (entry.pins++ == 0 && !fresh) {
        idle_.erase(entry.place);
        if (entry.words_phase == phase::ready) {
            idle_words_.erase(entry.words_place);
        }
    }
    // One that is being made counts as a hit: this caller costs nothing.
    ++(entry.words_phase == phase::absent ? words_.misses : words_.hits);
    if (baseline_counts) {
        bool const known = entry.baseline_phase != phase::absent || entry.baseline_wanted;
        ++(known ? baselines_.hits : baselines_.misses);
    }
    return entry;
}

void problem_store::count_words(problem_entry const& entry) {
    ++words_.entries;
    words_.bytes += bytes_of(entry);
}

void problem_store::unpin(problem_entry& entry) {
    if (--entry.pins > 0) {
        return;
    }
    entry.baseline_wanted = false;
    entry.baseline_kept = false;
    bool const worthless = entry.words_phase == phase::absent && entry.baseline_phase == phase::absent;
    idle_.push_front(&entry);
    entry.place = idle_.begin();
    if (entry.words_phase == phase::ready) {
        idle_words_.push_front(&entry);
        entry.words_place = idle_words_.begin();
    }
    if (!entry.failure.empty() || worthless) {
        erase(entry);
    } else {
        evict();
    }
}

void problem_store::drop_words(problem_entry& entry) {
    idle_words_.erase(entry.words_place);
    --words_.entries;
    words_.bytes -= bytes_of(entry);
    std::vector<std::int32_t>().swap(entry.words);
    entry.words_phase = phase::absent;
}

void problem_store::erase(problem_entry& entry) {
    if (entry.words_phase == phase::ready) {
        drop_words(entry);
    }
    idle_.erase(entry.place);
    --baselines_.entries;
    baselines_.bytes -= entry_bytes;
    entries_.erase(problem_id(entry.id));
}

void problem_store::evict() {
    while (words_.bytes > words_limit_ && !idle_words_.empty()) {
        problem_entry& oldest = *idle_words_.back();
        drop_words(oldest);
        ++words_.evictions;
        if (oldest.baseline_phase != phase::ready) {
            erase(oldest);
        }
    }
    while (baselines_.bytes > baseline_limit_ && !idle_.empty()) {
        problem_entry& oldest = *idle_.back();
        words_.evictions += oldest.words_phase == phase::ready ? 1 : 0;
        erase(oldest);
        ++baselines_.evictions;
    }
}

}  // namespace optgap
