#pragma once
// What `optgap bench` prints: tables for readers, rows for machines.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/bench.hpp"
#include "bench/ceilings.hpp"
#include "bench/goals.hpp"
#include "bench/interference.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {

/// 1234567 as "1.235 M".
std::string scaled(double value);
/// "12.3 %"
std::string percent(double share);

/// Columns for the rows of add_row.
table measurement_table();
void add_row(table& shown, bench::measurement const& made, std::vector<ceiling> const& ceilings);
nlohmann::ordered_json to_json(bench::measurement const& made, std::vector<ceiling> const& ceilings);

std::string text_of(std::vector<bench::interference> const& rows, std::vector<ceiling> const& ceilings);
nlohmann::ordered_json to_json(bench::interference const& row, std::vector<ceiling> const& ceilings);

/// A table, and how many are met, not met and not measured.
std::string text_of(std::vector<bench::goal> const& goals);
/// Those that were not measured are not among them.
std::int64_t unmet_goals(std::vector<bench::goal> const& goals);
nlohmann::ordered_json to_json(bench::goal const& goal);

nlohmann::ordered_json to_json(ceiling const& found);

}  // namespace optgap::cli
