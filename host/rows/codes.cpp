#include "host/rows/codes.hpp"

#include <fmt/format.h>

#include "host/rows/packages/package.hpp"
#include "host/rows/row_kind.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {

std::string_view code_name(engine const& by, std::int32_t task, std::int32_t code) {
    for (kind_entry const& kind : kind_entries()) {
        code_range const& own = kind.info->codes;
        if (code >= own.begin && code < own.end) {
            return own.name(code);
        }
    }
    if (std::string_view const own = package_code_name(code); !own.empty()) {
        return own;
    }
    if (code >= 0 && code < shared_code_count) {
        return by.code_name(0, code);
    }
    std::int32_t const own = code - first_task_code;
    if (task < 0 || std::size_t(task) >= by.tasks().size()) {
        throw error(status::invalid_argument, fmt::format("{} is no code of task {}", code, task));
    }
    task_info const& info = by.tasks()[std::size_t(task)];
    if (own < 0 || std::size_t(own) >= info.codes.size()) {
        throw error(status::invalid_argument, fmt::format("{} is no code of {}", code, info.name));
    }
    return by.code_name(task, code);
}

}  // namespace optgap::rows
