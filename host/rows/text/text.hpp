#pragma once

#include <string>

#include "host/rows/graded_row.hpp"

namespace optgap::rows {

/// A summary of what a rubric found in one text.
struct rubric_outcome {
    std::string preset;
    double total = 0, content = 0, style = 0;
    bool held_back = false;  ///< a gate's factor is below 1
};

/// What the kind `text` knows of its rows beside their columns.
class rubric_scores {
public:
    virtual ~rubric_scores() = default;
    [[nodiscard]] virtual rubric_outcome outcome_of(graded_row const& row) const = 0;
};

}  // namespace optgap::rows
