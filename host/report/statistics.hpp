#pragma once
// What a run did per task and level, in integers only: processes count their own rows, and merging the tables in any
// order gives the same bytes. The rows of a group must have been counted by one process.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "optgap/reward.hpp"
#include "optgap/statistics.hpp"

namespace optgap {

/// Bins of feasible rows by quality: bin b holds [b/63, (b+1)/63), and the last one exactly 1.
inline constexpr std::int32_t quality_bins = 64;

struct cell_statistics {
    std::int64_t rows = 0;
    std::int64_t feasible = 0;
    std::int64_t correct = 0;  ///< feasible, quality at least the threshold
    std::int64_t optimal = 0;  ///< proven
    std::int64_t truncated = 0;
    std::int64_t format_broken = 0;
    std::int64_t quality = 0;  ///< sum over feasible rows, in units of 2^-32
    std::array<std::int64_t, quality_bins> histogram{};
    group_counts groups;

    void add(reward_row const& row, double correct_from);
    cell_statistics& operator+=(cell_statistics const& other);
    friend bool operator==(cell_statistics const&, cell_statistics const&) = default;

    /// Over all rows, quality 0 where infeasible (QR); NaN without rows.
    [[nodiscard]] double quality_ratio() const;
    /// Lower edge of the bin in which the share `at` of the feasible rows is reached, by the nearest rank; less than
    /// 1/63 below the sample's own. NaN without feasible rows.
    [[nodiscard]] double quality_quantile(double at) const;
};

/// Cells by task and level; `run` says what the numbers were made with (host/report/run_fingerprint.hpp).
struct statistics {
    using place = std::pair<std::string, std::string>;

    double correct_from = 1.0;
    nlohmann::ordered_json run;
    std::map<place, cell_statistics> cells;

    /// Adds the other's cells. Throws error{invalid_argument} when the thresholds differ; `run` is the caller's matter.
    void merge(statistics const& other);
    [[nodiscard]] cell_statistics total() const;
};

/// One object; `rates` in each cell is for readers and not read back.
nlohmann::ordered_json to_json(statistics const& of);
/// Throws field_error.
statistics statistics_from_json(nlohmann::ordered_json const& value);

}  // namespace optgap
