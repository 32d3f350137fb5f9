#pragma once
// Runs work on independent rows on the host's cores.

#include <cstdint>
#include <functional>

namespace optgap {

/// Runs work(begin, end) over all of [0, count): in parts of at most `grain`, by several threads, or at once.
using row_work = std::function<void(std::int64_t begin, std::int64_t end)>;
using row_runner = std::function<void(std::int64_t count, std::int64_t grain, row_work const& work)>;

/// Runs all of it on the calling thread.
inline void run_on_this_thread(std::int64_t count, std::int64_t /*grain*/, row_work const& work) { work(0, count); }

}  // namespace optgap
