#pragma once
// Which rows are worth their place: those that are dearer to make again than to keep.

#include "host/store/row.hpp"
#include "optgap/engine.hpp"

namespace optgap::cli {

/// A user's own, not proven, found by others, or of a label that took more steps than its task's 50 µs, or than its
/// default budget. No clock and no machine is in it.
bool is_dear(store::row const& of, task_info const& info);

}  // namespace optgap::cli
