#pragma once
// What a task can beside posing and judging, as data: the laws ask for what a task says, and no more.

#include "optgap/verdict.hpp"

namespace optgap {

struct abilities {
    bool proves = true;    ///< the default budget proves every instance of the paper's levels
    bool bounds = true;    ///< a proof that was cut leaves a bound that holds
    bool improves = true;  ///< it has a local search; `improve` ends at once else
    bool greedy = true;    ///< its greedy policies write feasible answers
    bool decides = false;  ///< a generated instance's optimum is known before the search: every constraint is satisfied
    bool computes = false;  ///< one answer is right, and an algorithm finds it
};

[[nodiscard]] constexpr task_class class_of(abilities const& can) {
    return can.computes ? task_class::exact : can.decides ? task_class::satisfy : task_class::optimise;
}

}  // namespace optgap
