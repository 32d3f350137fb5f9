#include "host/rows/read/task_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/specs/nearest.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap::rows {

task_table::task_table(engine const& by) : by_(by) {
    auto const entries = registry();
    for (task_info const& info : by.tasks()) {
        texts_.push_back(std::find_if(entries.begin(), entries.end(), [&](task_entry const& entry) {
                             return entry.name == info.name;
                         })->text);
    }
}

std::int32_t task_table::named(std::string_view name) const {
    auto const tasks = by_.tasks();
    std::string_view const bare = name.substr(0, name.find('@'));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        task_info const& info = tasks[i];
        if (bare == info.name) {
            if (bare.size() < name.size() && name.substr(bare.size() + 1) != std::to_string(info.version)) {
                throw error(status::unknown_task,
                            fmt::format("this build carries {}@{}, not '{}'", info.name, info.version, name));
            }
            return std::int32_t(i);
        }
    }
    std::vector<std::string> names;
    for (task_info const& info : tasks) {
        names.emplace_back(info.name);
    }
    throw error(status::unknown_task,
                fmt::format("no task is named '{}'; this build has: {}", name, closest_first(bare, names)));
}

}  // namespace optgap::rows
