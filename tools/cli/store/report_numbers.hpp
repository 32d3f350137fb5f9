#pragma once
// What a store's report says in numbers: one walk over the rows, in memory that grows with the unproven ones alone.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/store/canonical.hpp"

namespace optgap::cli {

/// Counts by doubling bins: bin b holds the values below 2^b that no bin before it holds.
using doubling_counts = std::array<std::int64_t, 65>;

/// A task at a level, or everything.
struct report_cell {
    std::int64_t rows = 0, proven = 0, unanswered = 0;
    std::vector<double> gaps;                      ///< of the unproven rows that have one, in the order of keys
    double floor_quality = 0, greedy_quality = 0;  ///< sums over the answered rows
    doubling_counts proof_steps{};
    // Against an older store.
    std::int64_t added = 0, gone = 0, better = 0, worse = 0, newly_proven = 0, no_longer_proven = 0;

    [[nodiscard]] std::int64_t answered() const { return rows - unanswered; }
};

/// A row that is shown by itself.
struct report_row {
    store::row row;
    std::optional<store::own_instance> own;
    double gap = 0;  ///< infinite without a bound to divide by
};

struct report_numbers {
    report_cell total;
    std::map<std::pair<std::string, std::string>, report_cell> cells;  ///< by "tsp@1" and level
    std::map<std::string, report_cell> tasks;                          ///< by "tsp@1"
    std::string hash, old_hash;                                        ///< old_hash is empty without an older store
    std::vector<report_row> worst;                                     ///< largest gap first, then by key
    std::vector<report_row> published;                                 ///< in the order of keys
    std::int64_t published_left_out = 0;
    std::vector<report_row> regressions;  ///< worse, no longer proven or gone; as they were
    [[nodiscard]] std::int64_t got_worse() const { return total.worse + total.no_longer_proven + total.gone; }
};

inline constexpr std::size_t max_worst = 10, max_published = 500, max_regressions = 100;

/// `old` may be nullptr.
report_numbers count_rows(engine const& by, store::reader* old, store::reader& now);

/// The smallest value that a share p of the values does not pass; NaN for none.
double share_below(std::vector<double> values, double p);

}  // namespace optgap::cli
