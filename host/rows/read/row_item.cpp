#include "host/rows/read/row_item.hpp"

namespace optgap::rows {
namespace {

bool is_error_report(json_row const& row) {
    std::string_view const* const old = row.find("error");
    json_row report;
    std::string rule;
    return old != nullptr && report.split(*old, rule) && report.find("row") != nullptr &&
           report.find("rule") != nullptr;
}

}  // namespace

void row_item::take(std::string_view line, std::int64_t its_number) {
    number = its_number;
    rule.clear();
    kind = instance = -1;
    is_object = row.split(line, rule);
    field = is_object ? "" : "line";
    has_old_error = is_object && is_error_report(row);
}

}  // namespace optgap::rows
