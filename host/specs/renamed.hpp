#pragma once
// Names that have changed. The former one is read for one version, with a warning (docs/migration.md).

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace optgap {

struct renamed {
    std::string_view former, current;
};

/// Options of scoring, as on the command line without dashes.
inline constexpr renamed renamed_options[] = {
    {"outbox", "improved"}, {"chains", "rubrics"}, {"chain-preset", "rubric-preset"}};

/// Fields of a reward's spec.
inline constexpr renamed renamed_reward_fields[] = {{"pays", "rewarded"}};

/// The current name of an option, with `-` or `_` between its words as given; `given` itself where it has not changed.
inline std::string current_option(std::string_view given) {
    std::string dashed(given);
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    for (renamed const& one : renamed_options) {
        if (dashed == one.former) {
            std::string out(one.current);
            std::replace(out.begin(), out.end(), '-', given.find('_') == std::string_view::npos ? '-' : '_');
            return out;
        }
    }
    return std::string(given);
}

}  // namespace optgap
