#pragma once  // Stable.
// The settings that a run's numbers depend on beside its rollouts, as a record to keep and as 16 hex digits for every
// row.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optgap/advantage.hpp"
#include "optgap/engine.hpp"
#include "optgap/reward.hpp"

namespace optgap {

struct run_settings {
    std::string_view engine_version;
    std::vector<task_info> tasks;  ///< of the build; a task's version covers its prompts
    std::string_view format;       ///< default of rows that name none
    bool force_format = false;
    reward_rules reward;
    advantage_spec advantage;
    std::string_view roles = {};  ///< an estimator for each role, as JSON; empty: `advantage` for all
    std::int64_t budget = -1;     ///< steps to solve rows without a baseline
    std::string baselines;        ///< hash of a baseline snapshot; empty: none
    /// Options of kinds of rows that differ from their defaults, {"rubric_preset", "rlvrr"}; for a file, the hash of
    /// its content.
    std::vector<std::pair<std::string, std::string>> kinds = {};
};

/// describe_shapes of the build alone, without what this process has loaded from packages: all processes of a build
/// agree on it.
std::string describe_listed_shapes();

/// The record, a JSON object {fingerprint, engine, format, reward, advantage, baseline}: the digits, and the parts from
/// which they are computed. To compare runs exactly, compare their records.
std::string run_record(run_settings const& settings);

/// The digits of a record; empty for a text that is no record. Each part has digits of its own (engine with the tasks
/// 4; format, reward, advantage and baseline 3 each, the first of XXH3-64 over the part's JSON), so that two
/// fingerprints show what differs between two runs; one changed part stays unnoticed once in 4096 (65,536 for the
/// engine).
std::string run_fingerprint(std::string_view record);

/// Names of the parts in which two fingerprints differ, "reward and advantage"; "all of it" for texts that are no
/// fingerprints. Empty when they are equal.
std::string differing_parts(std::string_view a, std::string_view b);

}  // namespace optgap
