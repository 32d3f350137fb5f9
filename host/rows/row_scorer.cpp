#include "optgap/rows/scorer.hpp"

#include "host/rows/score_options.hpp"
#include "host/rows/scorer.hpp"
#include "host/rows/written_rows.hpp"

namespace optgap {

struct row_scorer::parts {
    engine const& by;
    std::string options;
    rows::scorer inner;
    std::vector<std::string> remarks;
};

row_scorer::row_scorer(engine const& by, std::string_view options)
    : parts_(new parts{.by = by,
                       .options = std::string(options),
                       .inner = {by, rows::parse_score_options(options)},
                       .remarks = {}}) {}
row_scorer::~row_scorer() = default;
row_scorer::row_scorer(row_scorer&&) noexcept = default;
row_scorer& row_scorer::operator=(row_scorer&&) noexcept = default;

std::vector<std::string> row_scorer::score(std::span<std::string const> rows) {
    std::vector<std::string> served;
    if (parts_->by.score_rows_at_server(parts_->options, rows, served, parts_->remarks)) {
        return served;
    }
    rows::scorer& by = parts_->inner;
    std::vector<rows::row_item> items(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        items[i].take(rows[i], std::int64_t(i) + 1);
    }
    rows::graded_run const run = by.run(items);
    parts_->remarks.clear();
    for (rows::run_report::sentence const& one : run.report.sentences) {
        parts_->remarks.push_back(one.text);
    }
    return rows::written_rows(by, items, run);
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

std::vector<std::string> row_scorer::remarks() const { return parts_->remarks; }

std::string const& row_scorer::fingerprint() const { return parts_->inner.fingerprint(); }

}  // namespace optgap
