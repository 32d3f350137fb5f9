#pragma once
// Weights for the inequalities of a linear_model: those that push its lower bound highest, by the simplex method in
// doubles. What comes out is a guess; who uses it counts again in whole numbers.

#include <cstdint>
#include <vector>

#include "kernels/text/certificate.hpp"

namespace optgap::cli {

struct bounded_model {
    double bound = 0;             ///< of the costs
    std::vector<double> weights;  ///< one a row, not negative
    std::vector<double> values;   ///< of the variables, between 0 and 1: where the bound is attained, roughly
};

/// `fixed` says 0 or 1 of a variable, -1 where it is free. Stops as soon as the bound exceeds `enough`.
bounded_model bound_model(linear_model const& model, std::vector<std::int8_t> const& fixed, double enough);

}  // namespace optgap::cli
