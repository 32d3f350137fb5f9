#pragma once
// What optgap eval says of rows whose completion is a program.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "host/rows/json/jsonl.hpp"
#include "optgap/baseline.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// One program on its hidden instances.
struct program_outcome {
    std::string task, level, problem;  ///< problem: rows with the same one have the same instances
    std::int32_t group = 0;
    sense direction = sense::minimise;
    std::vector<std::int64_t> objectives;  ///< no_objective where invalid
};

/// The `objectives` of a scored row; false where it has none, and is then no program's. Throws field_error.
bool read_objectives(json_row const& row, std::vector<std::int64_t>& objectives);

/// By task and level.
class program_rates {
public:
    /// Throws field_error where a problem's rows before had another number of objectives.
    void add(program_outcome row);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string table_text() const;
    /// [{task, level, rows, problems, valid, mean_rank, wins, best, pair_collision, collapsed, groups}]
    [[nodiscard]] nlohmann::ordered_json summaries() const;

private:
    struct rates {
        std::int64_t rows = 0, problems = 0, groups = 0;
        double valid = 0, mean_rank = 0, wins = 0, best = 0, pair_collision = 0, collapsed = 0;
    };
    [[nodiscard]] std::map<std::pair<std::string, std::string>, rates> made() const;

    std::vector<program_outcome> rows_;
    std::map<std::string, std::size_t> width_;  ///< of problems
};

}  // namespace optgap::cli
