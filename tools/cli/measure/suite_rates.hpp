#pragma once
// Rates by suite: what was held out beside what was seen.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "optgap/suites/suite.hpp"
#include "tools/cli/score/summary.hpp"

namespace optgap::cli {

class suite_rates {
public:
    explicit suite_rates(std::vector<std::string> const& words);

    /// The rollouts of a task and level, which must live as long as this.
    void add(std::string const& task, std::string const& level, rollout_groups const& rollouts);
    /// The class that a suite gives a task, or empty.
    [[nodiscard]] std::string kind_of(std::string_view task) const;

    /// A line per suite, and one of what is in none of them.
    [[nodiscard]] std::vector<labelled_evaluation> lines(evaluation_options const& how) const;
    /// Per suite: its name, hash, role, how many of its tasks have rows, and those that have none.
    [[nodiscard]] nlohmann::ordered_json coverage() const;
    /// The same in a sentence each.
    [[nodiscard]] std::string coverage_text() const;

private:
    struct part {
        suite of;
        std::vector<rollout_groups const*> rollouts;
        std::vector<bool> answered;  ///< per entry
    };
    std::vector<part> parts_;
    std::vector<rollout_groups const*> others_;
};

}  // namespace optgap::cli
