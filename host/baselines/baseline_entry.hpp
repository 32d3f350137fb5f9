#pragma once
// A source's memory of an instance. Private to the source's own files.

#include "host/baselines/baseline_source.hpp"

namespace optgap {

/// A question with its identity.
struct baseline_source::asked_entry {
    baseline_question of;
    std::int64_t budget = 0;  ///< the task's default in place of -1
    bool keyed = false;       ///< a proof begins with the answer that the key's generator planted
    instance_hash words, start;

    [[nodiscard]] std::size_t hash() const {
        return std::size_t(words.low ^ start.high ^ (std::uint64_t(budget) * 0x9e3779b97f4a7c15) ^
                           (std::uint64_t(of.task) << 48) ^ std::uint64_t(keyed));
    }
};

/// An instance. Once settled, it never changes, and may be read without the lock.
struct baseline_source::entry {
    enum progress { listed, making, settled, failed };

    std::int32_t task = 0;
    progress state = making;
    bool keyed = false;
    bool asked = false;   ///< no layer has it
    bool pinned = false;  ///< a layer that may change gave it
    std::int64_t budget = 0;
    instance_hash words, start;
    std::size_t hash = 0;
    baseline value;
    baseline_from from = baseline_from::proof;
    std::string damage;
    std::vector<std::int32_t> whole_words, whole_start, answer;  ///< of a whole source
    std::int64_t counted = 0;                                    ///< bytes
    std::list<entry*>::iterator place;                           ///< in `recent_`, when listed or settled and unpinned

    /// Its size, with its nodes and the headers of blocks.
    [[nodiscard]] std::int64_t bytes() const {
        return std::int64_t(sizeof(entry)) + 128 + std::int64_t(damage.size()) +
               std::int64_t((whole_words.size() + whole_start.size() + answer.size()) * sizeof(std::int32_t));
    }
};

}  // namespace optgap
