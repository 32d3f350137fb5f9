#pragma once
// One call for programs: its rows as they are run, and their scored results.

#include <memory>
#include <vector>

#include "host/program_runs/program_rewards.hpp"
#include "host/programs/run_batch.hpp"
#include "optgap/programs/runner.hpp"

namespace optgap::program_runs {

class program_call {
public:
    /// Borrows what the request borrows. Throws error{invalid_argument} where columns do not fit.
    program_call(engine const& by, program_request const& asked);

    /// The languages of the rows whose limits name steps, or of the other rows, each once.
    [[nodiscard]] std::vector<programs::program_language> languages(bool steps) const;
    /// The problems that rows name, each once. `rewarded` takes their baselines.
    [[nodiscard]] std::vector<std::shared_ptr<program_problem const>> const& problems() const { return problems_; }

    /// Runs the rows whose limits name steps, or the others. No isolation level runs both (sandbox_options::steps).
    void run(programs::sandbox& in, bool steps);
    /// The results, once all rows have been run. `known` has the baselines of every instance of problems(), in order.
    /// Advantages are left out.
    [[nodiscard]] program_batch rewarded(std::vector<std::vector<baseline>> const& known) const;

private:
    void write_row(std::size_t r, program_reward const& found, program_batch& out) const;

    engine const& by_;
    program_request const& asked_;
    std::vector<std::shared_ptr<program_problem const>> problems_;
    std::vector<programs::program_limits> limits_;  ///< per row
    instance_batch instances_;
    std::vector<programs::problem_rows> places_;  ///< the problems' instances
    std::vector<programs::program_row> rows_;
    std::vector<std::string> isolations_;  ///< isolation level per row
    programs::program_matrix found_;
};

/// Advantages of some rows; `group` has an entry per row. Ranking estimators read the cells, the others the rewards.
/// Throws error{invalid_argument} where a ranked group has rows of different numbers of instances.
std::vector<float> program_advantages(engine const& by, program_batch const& rows, std::span<std::int32_t const> group,
                                      std::span<std::int32_t const> length, advantage_spec const& spec);

/// Gives rows the same id when their problems have the same instances.
std::vector<std::int32_t> groups_by_problem(program_request const& asked);

}  // namespace optgap::program_runs
