#pragma once
// What the project promises of its speed, and whether it was met here. A goal without a measurement has no number.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/ceilings.hpp"

namespace optgap::bench {

struct goal {
    std::string name;
    std::string what;
    device where = device::cpu;
    std::string unit;
    double limit = 0;
    bool at_least = true;              ///< else: at most
    std::optional<double> value = {};  ///< nothing: not measured
    std::string note = {};             ///< what `value` is of, or why there is none

    [[nodiscard]] std::optional<bool> met() const {
        return value ? std::optional<bool>(at_least ? *value >= limit : *value <= limit) : std::nullopt;
    }
};

struct goals_setting {
    engine const& by;                    ///< a GPU's goals are measured when it works on one
    std::vector<std::int32_t> tasks;     ///< that are measured; a goal of every task is judged by the worst of them
    difficulty level = difficulty::benchmark();
    double seconds = 1.0;  ///< for each measurement
    bool quick = false;    ///< leaves out what takes more than a few seconds
};

/// What is promised, without values.
std::vector<goal> promised_goals();

/// Measures what can be measured on this machine and judges it; minutes, seconds with `quick`. On a GPU the GPU's goals
/// alone. `seen` has each goal as soon as it is judged.
std::vector<goal> measure_goals(goals_setting const& at, std::function<void(goal const&)> const& seen);

}  // namespace optgap::bench
