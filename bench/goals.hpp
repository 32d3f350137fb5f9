#pragma once
// The project's promised speeds, and whether this machine meets them. A goal without a measurement has no number.

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
    std::optional<double> value = {};  ///< nullopt: not measured
    std::string note = {};             ///< what `value` was measured on, or why there is none

    [[nodiscard]] std::optional<bool> met() const {
        return value ? std::optional<bool>(at_least ? *value >= limit : *value <= limit) : std::nullopt;
    }
};

struct goals_setting {
    engine const& by;                 ///< the GPU's goals are measured when it works on one
    std::vector<std::int32_t> tasks;  ///< the measured tasks; a goal of every task is judged by the worst of them
    difficulty level = difficulty::benchmark();
    double seconds = 1.0;  ///< per measurement
    bool quick = false;    ///< leaves out what takes more than a few seconds
};

/// The promised goals, without values.
std::vector<goal> promised_goals();

/// Measures and judges what this machine can measure. Takes minutes, or seconds with `quick`. On a GPU only the GPU's
/// goals are measured. Calls `seen` with each goal as soon as it is judged.
std::vector<goal> measure_goals(goals_setting const& at, std::function<void(goal const&)> const& seen);

}  // namespace optgap::bench
