#include "optgap/reward.hpp"

namespace optgap {

row_facts::row_facts(reward_row const& row, verdict const& found)
    : format(row.format > 0),
      feasible(row.feasible > 0),
      optimal(row.optimal > 0),
      truncated(row.truncated != 0),
      objective(feasible && found.feasible() ? found.objective : no_objective) {
    // An answer to an instance that is proven to have none is worth nothing, whatever the verifier says.
    bool const worthless = found.feasible() && row.code == code_empty;
    violation = feasible ? 0 : (worthless ? found.violation_max : found.violation);
}

}  // namespace optgap
