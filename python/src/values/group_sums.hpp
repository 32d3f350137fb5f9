#pragma once

#include <cstdint>
#include <utility>

#include "optgap/roles/proposer.hpp"

namespace optgap::python {

/// Columns of groups' sums by their names.
inline constexpr std::pair<char const*, std::int64_t group_sums::*> sum_fields[] = {{"rows", &group_sums::rows},
                                                                                    {"feasible", &group_sums::feasible},
                                                                                    {"solved", &group_sums::solved},
                                                                                    {"sum", &group_sums::sum},
                                                                                    {"sum_sq", &group_sums::sum_sq}};

}  // namespace optgap::python
