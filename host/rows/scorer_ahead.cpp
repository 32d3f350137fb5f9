// Rows that are graded before their run is known: by themselves first, joined to the others later.

#include <utility>

#include "host/rows/scorer.hpp"

namespace optgap::rows {

bool scorer::grade_ahead(std::span<ahead_row* const> rows, bool proves, std::stop_token const& stop) {
    std::vector<row_item> items(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        items[i].take(*rows[i]->line, 1);
    }
    std::vector<std::vector<brought_baseline>> brought(rows.size());
    struct lending {
        std::span<std::vector<brought_baseline>>& to;
        ~lending() { to = {}; }
    } const while_graded{run_.brought = brought};
    forget();
    std::vector<graded_row> graded;
    if (!score(items, {.proves = proves, .stop = stop}, graded)) {
        forget();
        return false;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ahead_row& row = *rows[i];
        row.item = std::move(items[i]);
        row.graded = graded[i];
        if (!row.item.sound()) {
            continue;
        }
        row_kind& kind = *kinds_[std::size_t(row.item.kind)];
        row.carried = graded[i].group >= 0 && kind.info().beside == rows_beside::none;
        if (row.carried) {
            row.group = run_.names.group_name(graded[i].group);
            row.task = std::size_t(graded[i].task) < engine_.tasks().size() ? std::string_view()
                                                                            : run_.names.task_name(graded[i].task);
            row.brought = std::move(brought[i]);
            row.kept = kind.take(graded[i]);
            row.carried = row.kept != nullptr || graded[i].entry < 0;
        }
    }
    forget();
    return true;
}

void scorer::join(row_kind& kind, row_item& item, ahead_row const& known, graded_row& out) {
    out = known.graded;
    out.group = run_.names.group(known.group);
    out.task = known.task.empty() ? known.graded.task : run_.names.task(known.task);
    for (brought_baseline const& one : known.brought) {
        try {
            run_.require_given(0, out.group, one);
        } catch (field_error const& broken) {
            item.reject(broken.field(), broken.rule());
        }
    }
    if (item.sound()) {
        kind.put(out, known.kept);
    }
}

}  // namespace optgap::rows
