#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "host/scheduler/problem_store.hpp"

namespace optgap {

/// Instances that are to be generated or proven, those first that completions wait for. Each is pinned once per place.
/// The scheduler's lock guards it.
class proof_queue {
public:
    void push(problem_entry& entry, bool urgently) {
        problem_store::pin(entry);
        entry.queued = true;
        entry.urgent = entry.urgent || urgently;
        (urgently ? urgent_ : shadow_).push_back(&entry);
    }
    /// There is one. Its pin is the caller's.
    problem_entry* pop() {
        std::deque<problem_entry*>& from = urgent_.empty() ? shadow_ : urgent_;
        problem_entry* const entry = from.front();
        from.pop_front();
        entry->queued = false;
        entry->urgent = false;
        return entry;
    }
    /// The entries behind `first` whose words no thread makes yet, at most `most` with it; each but it is pinned once
    /// more.
    [[nodiscard]] std::vector<problem_entry*> unmade_after(problem_entry* first, std::size_t most) const {
        std::vector<problem_entry*> found{first};
        for (std::deque<problem_entry*> const* const queue : {&urgent_, &shadow_}) {
            for (std::size_t i = 0; i < queue->size() && found.size() < most; ++i) {
                problem_entry* const next = (*queue)[i];
                bool const wanted = next->failure.empty() && next->words_phase == phase::absent;
                if (wanted && std::find(found.begin(), found.end(), next) == found.end()) {
                    problem_store::pin(*next);
                    found.push_back(next);
                }
            }
        }
        return found;
    }
    [[nodiscard]] bool has_urgent() const { return !urgent_.empty(); }
    [[nodiscard]] bool empty() const { return urgent_.empty() && shadow_.empty(); }
    [[nodiscard]] std::size_t size() const { return urgent_.size() + shadow_.size(); }

private:
    std::deque<problem_entry*> urgent_, shadow_;
};

}  // namespace optgap
