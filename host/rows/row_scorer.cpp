#include "optgap/rows/scorer.hpp"

#include "host/rows/score_options.hpp"
#include "host/rows/scorer.hpp"

namespace optgap {

struct row_scorer::parts {
    rows::scorer inner;
    rows::run_report last;
};

row_scorer::row_scorer(engine const& by, std::string_view options)
    : parts_(new parts{.inner = {by, rows::parse_score_options(options)}, .last = {}}) {}
row_scorer::~row_scorer() = default;
row_scorer::row_scorer(row_scorer&&) noexcept = default;
row_scorer& row_scorer::operator=(row_scorer&&) noexcept = default;

std::vector<std::string> row_scorer::score(std::span<std::string const> rows) {
    rows::scorer& by = parts_->inner;
    std::vector<rows::row_item> items(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        items[i].take(rows[i], std::int64_t(i) + 1);
    }
    rows::graded_run const run = by.run(items);
    parts_->last = run.report;
    std::vector<std::string> out(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (items[i].sound()) {
            auto const columns = by.columns(run.rows[i]);
            std::vector<std::string_view> dropped(columns.begin(), columns.end());
            dropped.emplace_back("error");
            row_writer row(out[i], &items[i].row, dropped);
            by.write(row, run.rows[i], run.advantages[i], run.groups.keep[i] != 0);
            row.finish();
        } else {
            bool const old = items[i].has_old_error;
            std::vector<std::string_view> const dropped(old ? 0 : 1, "error");
            row_writer row(out[i], items[i].is_object ? &items[i].row : nullptr, dropped);
            if (!old) {
                row.error(items[i].number, items[i].field, items[i].rule);
            }
            row.finish();
        }
        out[i].pop_back();  // the line's end
    }
    return out;
}

std::string row_scorer::explain(std::string_view row) {
    rows::row_item item;
    item.take(row, 1);
    return rows::explanation_text(parts_->inner.explain({&item, 1}, 0), 1, rows::painter(false));
}

std::string row_scorer::feedback(std::string_view row, feedback_level level) {
    rows::row_item item;
    item.take(row, 1);
    return rows::feedback_text(parts_->inner.find({&item, 1}, 0), level);
}

std::vector<std::string> row_scorer::remarks() const {
    std::vector<std::string> out;
    for (rows::run_report::sentence const& one : parts_->last.sentences) {
        out.push_back(one.text);
    }
    return out;
}

std::string const& row_scorer::fingerprint() const { return parts_->inner.fingerprint(); }

}  // namespace optgap
