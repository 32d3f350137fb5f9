#pragma once
// The state that calls of one program_runner share: the open sandboxes, solved baselines, counts. Thread-safe.

#include <memory>
#include <mutex>
#include <vector>

#include "host/baselines/baseline_source.hpp"
#include "host/program_runs/program_call.hpp"
#include "host/program_runs/shared_sandboxes.hpp"

namespace optgap {

struct program_runner::state {
    state(engine const& engine_, program_runner_options options_);

    void require_own_process() const;
    /// The baselines of every instance: the problem's own, else the source's.
    std::vector<baseline> baselines_of(program_problem const& of, std::int64_t budget);
    void add(program_counts const& more);
    [[nodiscard]] program_counts counts() const;

    engine const& by;
    program_runner_options const options;
    /// Also those of scorers and schedulers that share the runner's slots.
    std::shared_ptr<program_runs::shared_sandboxes> const sandboxes;

private:
    std::uint32_t const process_;
    mutable std::mutex lock_;
    std::shared_ptr<baseline_source> const source_;
    program_counts counts_;
};

}  // namespace optgap
