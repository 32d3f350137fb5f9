#include "host/scheduler/problem_store.hpp"

#include <utility>

namespace optgap {

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
    }
    problem_entry& entry = *found->second;
    if (entry.pins++ == 0 && !fresh) {
        idle_.erase(entry.place);
        recall(entry);
    }
    // One that is being made counts as a hit: this caller costs nothing.
    ++(entry.words_phase == phase::absent ? words_.misses : words_.hits);
    if (baseline_counts && entry.words_phase == phase::absent && !entry.baseline_wanted) {
        ++entry.undecided;
    } else if (baseline_counts) {
        bool const known = entry.baseline_phase != phase::absent || entry.baseline_wanted;
        ++(known ? baseline_hits_ : baseline_misses_);
    }
    return entry;
}

void problem_store::set_words(problem_entry& entry, std::span<std::int32_t const> words) {
    entry.set_words(words);
    ++words_.entries;
    words_.bytes += bytes_of(entry);
    recall(entry);
    (entry.baseline_phase == phase::absent ? baseline_misses_ : baseline_hits_) += std::exchange(entry.undecided, 0);
}

void problem_store::recall(problem_entry& entry) {
    if (entry.baseline_phase != phase::absent) {
        return;
    }
    baseline_question question{.task = entry.spec.task, .spec = entry.keyed(), .words = entry.words, .budget = budget_};
    if (std::optional<baseline> const known = source_.recall(question, entry.hash)) {
        entry.base = *known;
        entry.baseline_phase = phase::ready;
    }
}

void problem_store::unpin(problem_entry& entry) {
    if (--entry.pins > 0) {
        return;
    }
    entry.baseline_wanted = false;
    entry.baseline_kept = false;
    entry.baseline_phase = phase::absent;
    baseline_misses_ += std::exchange(entry.undecided, 0);
    idle_.push_front(&entry);
    entry.place = idle_.begin();
    if (!entry.failure.empty() || entry.words_phase == phase::absent) {
        erase(entry);
        return;
    }
    while (words_.bytes > limit_ && !idle_.empty()) {
        erase(*idle_.back());
        ++words_.evictions;
    }
}

void problem_store::erase(problem_entry& entry) {
    if (entry.words_phase == phase::ready) {
        --words_.entries;
        words_.bytes -= bytes_of(entry);
    }
    idle_.erase(entry.place);
    entries_.erase(problem_id(entry.id));
}

}  // namespace optgap
