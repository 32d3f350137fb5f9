#pragma once
// Verdicts of environments on rows that hold a `problem` in place of one.

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "host/rows/json/jsonl.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {

class asked_verdicts {
public:
    /// `environments`: what a user named, with commas; empty: nobody is asked. Throws field_error{"trusted"}.
    asked_verdicts(std::string environments, bool trusted);

    [[nodiscard]] bool can_ask() const { return !environments_.empty(); }
    /// Finds the answers of the batch's rows without `external`, asks about them, and calls `check`, which may throw
    /// field_error, for what their environments said. A row without a verdict is rejected.
    void ask(row_batch& batch, std::function<void(json_row const&)> const& check);
    /// The row with the verdict: what was said about item `i`, else the item's own row.
    [[nodiscard]] json_row const& row_of(row_batch const& batch, std::size_t i) const;
    void forget(row_batch const& batch) { batches_.erase(&batch); }
    void forget() { batches_.clear(); }

private:
    /// By item. Rows are views of the texts.
    struct verdicts_of_batch {
        std::deque<std::string> texts;
        std::map<std::size_t, json_row> rows;
    };

    std::string environments_;
    bool trusted_;
    std::map<row_batch const*, verdicts_of_batch> batches_;
};

}  // namespace optgap::rows
