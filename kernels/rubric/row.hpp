#pragma once
// One text scored by one rubric, by any team: content, counters, and the checks that depend on counters alone.

#include "kernels/rubric/content.hpp"
#include "kernels/rubric/counts.hpp"

namespace optgap::rubrics {

struct rubric_view {
    lists_view lists{};
    counter_check const* checks = nullptr;
    std::int32_t check_count = 0;
};

/// A text, the memory for it, and where its results go.
struct rubric_row {
    ready_view ready{};          ///< folded, for content
    char const* text = nullptr;  ///< in the form that checks read
    std::int64_t size = 0;
    std::int32_t rubric = 0;
    content_room room{};
    list_score* lists = nullptr;       ///< one for each list of the rubric
    std::int64_t* counters = nullptr;  ///< counter::count
    counter_result* checks = nullptr;  ///< one for each check of the rubric
};

}  // namespace optgap::rubrics

OPTGAP_KERNELS_BEGIN

template <class Team>
OPTGAP_HD void score_rubric_row(Team& team, rubrics::rubric_view const& of, rubrics::point_table const& table,
                                rubrics::rubric_row const& row) {
    match_lists(team, of.lists, row.ready, row.room, row.lists);
    count_text(team, row.text, row.size, table, row.counters);
    check_counters(team, row.counters, of.checks, of.check_count, row.checks);
}

OPTGAP_KERNELS_END
