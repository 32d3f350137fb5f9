#pragma once
// The one reader of a problem for programs, as a row of a file, a ground truth or a caller names it.

#include <optional>
#include <string>
#include <vector>

#include "host/programs/problem.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/engine.hpp"

namespace optgap::programs {

/// A problem's name: a key, or a task and its instances. Repeated information must agree.
struct problem_claim {
    std::optional<std::string> key, task;
    json const* instances = nullptr;  ///< null, or a list
};

struct posed_problem {
    std::string key;  ///< with its hash, without a style
    std::int32_t task = -1;
    instance_batch instances;
    std::vector<instance_spec> specs;  ///< task -1 where the instance is a user's own
    instance_hash hash;
};

/// Generates the instances, or checks those that the claim holds. Throws field_error.
posed_problem read_problem(engine const& by, problem_claim const& claim);

}  // namespace optgap::programs
