#pragma once
// The law of equivariance as a function, so that a symmetry that is wrong can be shown to break it.

#include <string>

#include "tests/support/task_cases.hpp"

namespace optgap::testing {

/// Instances of one task with answers that are right, near and wrong in every way that answers_for knows.
struct answered_instances {
    std::int32_t task = 0;
    instance_batch instances;
    solved_batch solved;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// Small ones, a third of them under a sanitizer, one of each large level, and all splits.
answered_instances answered_cases(std::int32_t task, std::int64_t mutations);

/// The first breach in a sentence, "" when there is none, of twins under the symmetry that `says` has: each is a sound
/// instance with its original's optimum, and each relabelled answer gets the original's verdict (but for `where`: the
/// smallest index depends on the order of labels) and goes back to what it was.
std::string breach_of_equivariance(task_text const& says, answered_instances const& cases, std::uint64_t seed);

}  // namespace optgap::testing
