#pragma once
// Sorted tables of counters: sums that do not depend on the order of their parts.

#include <span>
#include <string_view>
#include <vector>

#include "optgap/curriculum.hpp"

namespace optgap {

inline constexpr std::int64_t max_cell_count = 1'000'000'000'000;  ///< in a delta; sums of 9 million such cells fit
inline constexpr std::int64_t max_steps = std::int64_t(1) << 32;   ///< the random key has 32 bits for a step

/// The order of tables: by task, then level.
struct table_order {
    constexpr bool operator()(curriculum_cell const& a, curriculum_cell const& b) const { return key(a) < key(b); }

private:
    static constexpr std::uint64_t key(curriculum_cell const& cell) {
        return std::uint64_t(std::uint32_t(cell.task)) << 32 | (std::uint32_t(cell.level.code) ^ 0x8000'0000U);
    }
};
inline constexpr table_order in_table_order;

/// Sorts cells of tasks 0 … `tasks` - 1 and adds up those of the same task and level.
void compact(std::vector<curriculum_cell>& cells, std::size_t tasks);
/// Adds the cells of `from` to those of `into`, both sorted. Linear; in place where no cell is new.
void add_cells(std::vector<curriculum_cell>& into, std::vector<curriculum_cell> const& from);
/// Throws error{invalid_argument} that names a cell of `what` that breaks a rule: order, ranges, correct > attempts.
void check_cells(std::span<curriculum_cell const> cells, std::size_t tasks, std::int64_t most, std::string_view what);

}  // namespace optgap
