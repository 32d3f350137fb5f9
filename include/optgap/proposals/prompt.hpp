#pragma once  // Experimental.
// The prompt of a proposer. It quotes no text of a model: references are instances written anew from their words.

#include <cstdint>
#include <string>
#include <vector>

namespace optgap {

class engine;

struct proposer_request {
    std::int32_t task = 0;
    std::vector<std::string> references;  ///< instances of the task as JSON, shown without answers
    /// Percent of the way from the constant-policy baseline to the optimum that the greedy policy should miss; -1: not
    /// given.
    std::int32_t gap_low = -1, gap_high = -1;
};

/// Asks for one instance between <question> and </question>, with the fields and rules of the task's JSON form. Throws
/// error{invalid_argument} for a task that is posed to programs alone, and for a gap outside of 0 <= low <= high <=
/// 100.
std::string proposer_prompt(engine const& by, proposer_request const& wanted);

}  // namespace optgap
