#pragma once
// One call of programs: its rows as they are run, and what comes out as it is paid.

#include <memory>
#include <vector>

#include "host/pay/program_pay.hpp"
#include "host/programs/run_batch.hpp"
#include "optgap/programs/runner.hpp"

namespace optgap::pay {

class program_call {
public:
    /// Borrows what the request does. Throws error{invalid_argument} where columns do not fit.
    program_call(engine const& by, program_request const& asked);

    /// Of the rows whose limits name steps, or of the others: each once.
    [[nodiscard]] std::vector<programs::program_language> languages(bool steps) const;
    /// The problems that rows name, each once; what `paid` takes baselines of.
    [[nodiscard]] std::vector<std::shared_ptr<program_problem const>> const& problems() const { return problems_; }

    /// The rows whose limits name steps, or the others: no rung runs both (sandbox_options::steps).
    void run(programs::sandbox& in, bool steps);
    /// After all have been run. `known`: of every instance of problems(), in order; advantages are left out.
    [[nodiscard]] program_batch paid(std::vector<std::vector<baseline>> const& known) const;

private:
    void write_row(std::size_t r, paid_program const& found, program_batch& out) const;

    engine const& by_;
    program_request const& asked_;
    std::vector<std::shared_ptr<program_problem const>> problems_;
    std::vector<programs::program_limits> limits_;  ///< of each
    instance_batch instances_;
    std::vector<programs::problem_rows> places_;  ///< of the problems' instances
    std::vector<programs::program_row> rows_;
    std::vector<std::string> rungs_;  ///< of each row
    programs::program_matrix found_;
};

/// Of some rows: `group` has an entry a row. Ranking estimators read the cells, the others the rewards. Throws
/// error{invalid_argument} where a group that is ranked has rows of different numbers of instances.
std::vector<float> program_advantages(engine const& by, program_batch const& rows, std::span<std::int32_t const> group,
                                      std::span<std::int32_t const> length, advantage_spec const& spec);

/// One id for rows whose problems have the same instances.
std::vector<std::int32_t> groups_by_problem(program_request const& asked);

}  // namespace optgap::pay
