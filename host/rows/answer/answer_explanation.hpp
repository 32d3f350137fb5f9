#pragma once
// One answer for people.

#include "host/rows/row_kind.hpp"

namespace optgap::rows {

/// Grades the item's completion once more and solves its instance, since rows keep neither verdicts nor answers. The
/// item's completion may be missing: its `answer` is then verified. May reject the item.
explanation explain_answer(run_services& run, row_item& item);
/// Its first part, without solving. The item's completion was graded before, with the result `known`.
finding find_answer(run_services& run, row_item& item, reward_row const& known);

}  // namespace optgap::rows
