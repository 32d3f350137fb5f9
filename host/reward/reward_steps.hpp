#pragma once
// The arithmetic of a reward, for people.

#include <cstdint>
#include <string>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/finish.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// A step of a calculation: its name, what is done, the value.
struct reward_step {
    std::string name, how, value;
};

/// With its sign, ten digits at most.
std::string signed_number(double value);

/// Whether a feasible answer has the objective 0 where more is possible; it counts as no answer (docs/rewards.md).
bool is_worthless(verdict const& found, baseline const& base, sense direction);

/// The inputs of a reward.
struct reward_steps {
    sense direction = sense::minimise;
    verdict found;
    baseline base;
    reward_spec spec;
    std::int32_t format_code = code_ok;  ///< with the cut's fault accounted for
    finish how = finish::unknown;
    std::int32_t length = 0;  ///< tokens
    [[nodiscard]] std::vector<reward_step> lines() const;
};

}  // namespace optgap
