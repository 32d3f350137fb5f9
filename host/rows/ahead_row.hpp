#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/rows/row_kind.hpp"

namespace optgap::rows {

/// A row that was graded before it was known which rows it will be compared with: what joins it to them later.
///
///     ahead_row row(R"({"key": "tsp@1:train:easy:1", "completion": "…"})");
///     scorer.grade_ahead(…);                 // one scorer, on any thread
///     other_scorer.run(items, {&row, …});    // another one, once all rows of the run are there
struct ahead_row {
    explicit ahead_row(std::string text) : line(std::make_shared<std::string const>(std::move(text))) {
        item.take(*line, 1);
    }

    std::shared_ptr<std::string const> line;
    row_item item;  ///< borrows the line
    /// Whether what follows is all that its run needs of a sound row. Else it is graded again, with what it needs then
    /// at hand: its baselines, its proofs.
    bool carried = false;
    graded_row graded;        ///< `group` and `task` are numbers of the scorer that graded it
    std::string group, task;  ///< their names; of a task of the engine's none
    std::vector<brought_baseline> brought;
    std::shared_ptr<void> kept;  ///< by row_kind::take
};

}  // namespace optgap::rows
