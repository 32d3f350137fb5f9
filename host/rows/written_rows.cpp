#include "host/rows/written_rows.hpp"

namespace optgap::rows {
namespace {

void write_scored(std::string& out, scorer const& by, row_item const& item, graded_run const& run, std::size_t i) {
    auto const columns = by.columns(run.rows[i]);
    std::vector<std::string_view> dropped(columns.begin(), columns.end());
    dropped.emplace_back("error");
    row_writer row(out, &item.row, dropped);
    by.write(row, run.rows[i], run.advantages[i], run.groups.keep[i] != 0);
    row.finish();
}

void write_rejected(std::string& out, row_item const& item) {
    std::vector<std::string_view> const dropped(item.has_old_error ? 0 : 1, "error");
    row_writer row(out, item.is_object ? &item.row : nullptr, dropped);
    if (!item.has_old_error) {
        row.error(item.number, item.field, item.rule);
    }
    row.finish();
}

}  // namespace

std::vector<std::string> written_rows(scorer const& by, std::span<row_item const> items, graded_run const& run) {
    std::vector<std::string> out(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].sound() ? write_scored(out[i], by, items[i], run, i) : write_rejected(out[i], items[i]);
        out[i].pop_back();  // the line's end
    }
    return out;
}

}  // namespace optgap::rows
