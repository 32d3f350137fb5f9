#pragma once
// What a task can do besides generating and verifying, as data. The property tests demand what a task declares here,
// and no more.

#include "optgap/verdict.hpp"

namespace optgap {

struct abilities {
    bool proves = true;    ///< the default budget proves every instance of the paper's levels
    bool bounds = true;    ///< a proof that was cut short leaves a valid bound
    bool improves = true;  ///< it has a local search; otherwise `improve` ends at once
    bool greedy = true;    ///< its greedy policies write feasible answers
    bool decides = false;  ///< a generated instance's optimum is known before the search: every constraint is satisfied
    bool computes = false;  ///< one answer is right, and an algorithm finds it
};

[[nodiscard]] constexpr task_class class_of(abilities const& can) {
    return can.computes ? task_class::exact : can.decides ? task_class::satisfy : task_class::optimise;
}

}  // namespace optgap
