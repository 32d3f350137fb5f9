#pragma once
// Estimators and shapes that a process adds to those of its build: they come from packages of Python, which run in
// workers (host/rows/packages), so they have no function for a GPU. Their numbers hold in one process.

#include <deque>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/reward/estimator.hpp"
#include "kernels/reward/shape.hpp"

namespace optgap {

/// The numbers of what is added begin here.
inline constexpr std::int32_t first_added_number = 1'000'000;

/// Entries are never removed and never move. Use it from any thread.
template <class Id, class Entry, Id Entry::*number>
class added_entries {
public:
    /// Gives the entry its number.
    Id add(Entry entry) {
        std::lock_guard const locked(lock_);
        Id const id = Id(first_added_number + std::int32_t(entries_.size()));
        entry.*number = id;
        entries_.push_back(std::move(entry));
        return id;
    }
    /// nullptr for a number of none.
    [[nodiscard]] Entry const* find(Id id) {
        std::lock_guard const locked(lock_);
        std::int64_t const at = std::int64_t(id) - first_added_number;
        return at >= 0 && at < std::int64_t(entries_.size()) ? &entries_[std::size_t(at)] : nullptr;
    }
    void append_to(std::vector<Entry const*>& out) {
        std::lock_guard const locked(lock_);
        for (Entry const& one : entries_) {
            out.push_back(&one);
        }
    }

private:
    std::mutex lock_;
    std::deque<Entry> entries_;
};

/// The name must be free.
estimator add_estimator(estimator_entry entry);
reward_shape add_shape(shape_entry entry);

/// Whether an estimator has the name, or a preset of one.
bool is_estimator_name(std::string_view name);
bool is_shape_name(std::string_view name);

/// Those of the build, then those that were added.
std::vector<estimator_entry const*> known_estimators();
std::vector<shape_entry const*> known_shapes();

/// Whether the process added it. Such a shape is computed here: neither a GPU nor a daemon knows its number.
constexpr bool is_added(reward_shape shape) { return std::int32_t(shape) >= first_added_number; }

}  // namespace optgap
