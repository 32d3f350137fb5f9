#pragma once
// The property test of equivariance as a function, so that a test can show that a wrong symmetry violates it.

#include <string>

#include "tests/support/task_cases.hpp"

namespace optgap::testing {

/// Instances of one task with answers that are right, near and wrong in every way of answers_for.
struct answered_instances {
    std::int32_t task = 0;
    instance_batch instances;
    solved_batch solved;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// Small instances (a third of them under a sanitizer), one of each large level, and all splits.
answered_instances answered_cases(std::int32_t task, std::int64_t mutations);

/// Describes the first violation by relabelled copies under the symmetry that `says` has; "" when there is none. Each
/// copy must be a sound instance with its original's optimum. Each relabelled answer must get the original's verdict
/// (except `where`: the smallest index depends on the order of labels) and relabel back to the original.
std::string breach_of_equivariance(task_text const& says, answered_instances const& cases, std::uint64_t seed);

}  // namespace optgap::testing
