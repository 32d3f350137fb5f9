#pragma once
// Work on a thread of its own, beside a caller who may stop it.

#include <functional>
#include <stop_token>

namespace optgap {

/// Runs `work` to its end on another thread and asks `goes_on` on this one every 50 ms. When that says no, requests the
/// stop and asks no more. Returns whether it was never said; rethrows what `work` throws.
bool run_while(std::function<bool()> const& goes_on, std::stop_source stop, std::function<void()> const& work);

}  // namespace optgap
