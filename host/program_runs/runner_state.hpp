#pragma once
// The state that calls of one program_runner share: the open sandbox, solved baselines, counts. Thread-safe.

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "host/baselines/baseline_source.hpp"
#include "host/program_runs/program_call.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap {

struct program_runner::state {
    state(engine const& engine_, program_runner_options options_);

    void require_own_process() const;
    /// A sandbox for these languages and those requested before, over the same number of slots; `steps` for limits that
    /// name them. Throws error{sandbox_unavailable}. Current calls keep their sandbox.
    std::shared_ptr<programs::sandbox> holding(std::vector<programs::program_language> const& languages,
                                               bool steps = false);
    /// Uses a test's own sandbox instead of opening one.
    void hold_by(std::shared_ptr<programs::sandbox> held);
    /// The baselines of every instance: the problem's own, else the source's.
    std::vector<baseline> baselines_of(program_problem const& of, std::int64_t budget);
    void add(program_counts const& more);
    [[nodiscard]] program_counts counts() const;
    /// The number of slots of the opened sandboxes.
    [[nodiscard]] std::int32_t slots() const;
    /// The slots in use in all open sandboxes at this moment.
    [[nodiscard]] std::int32_t slots_busy() const;

    engine const& by;
    program_runner_options const options;

private:
    /// The node's daemon as a sandbox, where one is named and supports the request; else null.
    std::shared_ptr<programs::sandbox> served(programs::sandbox_options const& asked) const;

    std::uint32_t const process_;
    mutable std::mutex lock_;
    std::mutex opening_;  ///< held while isolation levels are probed; never taken while lock_ is held
    struct place {
        std::shared_ptr<programs::sandbox> open;
        std::vector<programs::program_language> held;
        std::map<programs::program_language, std::string> refused;
    };
    std::array<place, 2> places_;  ///< without steps and with
    std::shared_ptr<baseline_source> const source_;
    program_counts counts_;
};

}  // namespace optgap
