#include "tools/cli/rows/row_place.hpp"

#include "optgap/key.hpp"
#include "tools/cli/rows/instances.hpp"

namespace optgap::cli {

row_place place_of(json_row const& row) {
    row_place out{string_of(row, "task").value_or(""), string_of(row, "level").value_or("")};
    auto const text = string_of(row, "key");
    if (text && (out.task.empty() || out.level.empty())) {
        instance_key const key = parse_key(*text);
        out.task = key.task;
        out.level = out.level.empty() ? (key.is_explicit ? "explicit" : level_name(key.level)) : out.level;
    }
    out.level = out.level.empty() ? "explicit" : out.level;
    if (out.task.empty()) {
        throw field_error("task", "missing: a row needs `key` or `task`");
    }
    return out;
}

}  // namespace optgap::cli
