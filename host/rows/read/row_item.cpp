#include "host/rows/read/row_item.hpp"

#include <utility>

namespace optgap::rows {
namespace {

bool is_error_report(json_row const& row) {
    std::string_view const* const old = row.find("error");
    json_row report;
    std::string rule;
    return old != nullptr && report.split(*old, rule) && report.find("row") != nullptr &&
           report.find("rule") != nullptr;
}

void begin(row_item& item, std::int64_t number) {
    item.number = number;
    item.field.clear();
    item.rule.clear();
    item.kind = item.instance = -1;
}

}  // namespace

void row_item::take(std::string_view line, std::int64_t its_number) {
    begin(*this, its_number);
    is_object = row.split(line, rule);
    field = is_object ? "" : "line";
    has_old_error = is_object && is_error_report(row);
}

void row_item::take(std::vector<json_field> fields, std::int64_t its_number) {
    begin(*this, its_number);
    row.take(std::move(fields));
    is_object = true;
    has_old_error = is_error_report(row);
}

}  // namespace optgap::rows
