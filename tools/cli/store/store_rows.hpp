#pragma once
// Instances solved into rows of a store: what `recompute`, `import` and `take-outbox` share.

#include <string>
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

/// Which rows a file takes: all, or those that are dear (dear_steps.hpp) or there already.
enum class kept_rows { all, dear };

/// What a transaction did.
struct stored_counts {
    std::int64_t changed = 0;  ///< rows
    std::int64_t steps = 0;    ///< that solving took
};

/// Solves the items and joins their rows with the file's, in one transaction.
stored_counts solve_into(store::file& out, engine const& by, std::vector<store_item> const& items, std::int64_t budget,
                         kept_rows kept = kept_rows::all);

/// A task's key of an item; `hash` is its instance's.
store::row_key key_of_item(engine const& by, store_item const& item, instance_hash hash);

/// Forgets the content hash that a file carries; within a transaction.
void forget_hash(store::file& of);
/// The file's content hash, which it keeps until something changes.
std::string kept_hash(store::file& of, engine const& by);

}  // namespace optgap::cli
