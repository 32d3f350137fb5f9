#pragma once
// A folder of OPTGAP_STATS: the counters that the processes of a trainer append to files of their own
// (docs/statistics.md).

#include <string>
#include <vector>

#include "optgap/statistics.hpp"

namespace optgap {

/// Two rollouts of one ground truth belong to two groups when this many seconds lie between them, where the trainer
/// names no groups. python/optgap/measure/curves/timeline.py reads with the same number.
inline constexpr double statistics_group_gap = 300.0;

struct folder_statistics {
    std::vector<statistics> runs;    ///< a table for each different run record, in the order of the files
    std::vector<std::string> notes;  ///< what was skipped: malformed lines, a half-written last one
};

/// Adds up a folder's `*.jsonl`. Groups whose rollouts were counted by several processes are joined first.
folder_statistics read_statistics_folder(std::string const& path);

}  // namespace optgap
