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

/// Columns for the rows of add_row.
table measurement_table();
void add_row(table& shown, bench::measurement const& made, std::vector<ceiling> const& ceilings);
nlohmann::ordered_json to_json(bench::measurement const& made, std::vector<ceiling> const& ceilings);

std::string text_of(std::vector<bench::interference> const& rows, std::vector<ceiling> const& ceilings);
nlohmann::ordered_json to_json(bench::interference const& row, std::vector<ceiling> const& ceilings);

std::string text_of(std::vector<bench::goal> const& goals);
nlohmann::ordered_json to_json(bench::goal const& goal);

nlohmann::ordered_json to_json(ceiling const& found);

}  // namespace optgap::cli
