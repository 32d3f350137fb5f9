#pragma once
// Instances solved into rows of a store: what `recompute`, `import` and `take-improved` share.

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "host/store/canonical.hpp"
#include "optgap/engine.hpp"

namespace optgap::cli {

/// An instance to solve, by a spec (task -1: explicit) or with its words.
struct store_item {
    instance_spec spec{-1, {}, split::train, 0};
    std::int32_t task = 0;
    std::vector<std::int32_t> words;  ///< of an explicit one
    std::string name;
    std::vector<std::int32_t> start;  ///< an answer to begin with; empty: the plant, where there is one
    std::string solver;               ///< of the start; empty: it is the store's own
};

/// The steps that a budget means for a task.
std::int64_t steps_of(task_info const& info, std::int64_t budget);

/// Whether a row is kept, because it is more expensive to make again than to keep. A user's own, one that is not
/// proven or that others found, and one whose label took more steps than the task's default budget, or than those of 50
/// µs (task_text::expensive_steps). No clock and no machine is in it.
bool is_expensive(store::row const& of, task_info const& info, std::int64_t expensive_steps);

/// Which rows a file takes beside those that are there already; empty: all.
using kept_rows = std::function<bool(store::row const&, std::int32_t task)>;

/// What a transaction did.
struct stored_counts {
    std::int64_t changed = 0;  ///< rows
    std::int64_t steps = 0;    ///< that solving took
};

/// Measures from commit to commit.
class lap_clock {
public:
    /// Nanoseconds since the last call, or since it was made.
    std::int64_t lap() {
        auto const now = std::chrono::steady_clock::now();
        return std::chrono::nanoseconds(now - std::exchange(begun_, now)).count();
    }

private:
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// Solves the items and joins their rows with the file's, in one transaction; with a clock the file's times are told.
stored_counts solve_into(store::file& out, engine const& by, std::vector<store_item> const& items, std::int64_t budget,
                         kept_rows const& kept = {}, lap_clock* clock = nullptr);

/// A task's key of an item; `hash` is its instance's.
store::row_key key_of_item(engine const& by, store_item const& item, instance_hash hash);

/// Forgets the content hash that a file carries; within a transaction.
void forget_hash(store::file& of);
/// The file's content hash, which it keeps until something changes.
std::string kept_hash(store::file& of, engine const& by);

}  // namespace optgap::cli
