#include "tools/cli/store/recompute_inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "host/rows/read/instances.hpp"
#include "tools/cli/rows/files/instance_file.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/store/work_spec.hpp"

namespace optgap::cli {

std::vector<std::vector<store_item>> read_inputs(context& ctx, std::vector<std::string> const& inputs,
                                                 std::string const& task_name) {
    engine const& by = ctx.get_engine(false);
    std::int32_t const task = task_name.empty() ? -1 : ctx.task_named(task_name);
    std::vector<std::string> paths;
    for (std::string const& input : inputs) {
        if (!std::filesystem::is_directory(input)) {
            paths.push_back(input);
            continue;
        }
        std::size_t const before = paths.size();
        for (auto const& entry : std::filesystem::recursive_directory_iterator(input)) {
            if (entry.is_regular_file() && instance_file_named(ctx, entry.path().string(), task)) {
                paths.push_back(entry.path().string());
            }
        }
        std::sort(paths.begin() + std::ptrdiff_t(before), paths.end());
        if (paths.size() == before) {
            throw usage_error(fmt::format("{} holds no instance file that a task knows (optgap tasks --json)", input));
        }
    }
    std::vector<store_item> items;
    std::int64_t rejected = 0;
    for (std::string const& path : paths) {
        if (auto const file = instance_file_of(ctx, path, task)) {
            try {
                store_item item;
                item.task = file->task;
                item.words = read_instance(*file);
                item.name = std::filesystem::path(path).filename().string();
                items.push_back(std::move(item));
            } catch (field_error const& broken) {
                ctx.warn(fmt::format("{}: {}: {}; left out", path, broken.field(), broken.rule()));
                ++rejected;
            }
            continue;
        }
        row_input input(ctx, {path}, "rows");
        instance_set instances(ctx.tasks());
        for (auto rows = input.next(); !rows.empty(); rows = input.next()) {
            instances.resolve(rows);
            for (row_item const& row : rows) {
                if (!row.sound()) {
                    ctx.warn(fmt::format("{}, row {}: {}: {}; left out", path, row.number, row.field, row.rule));
                    ++rejected;
                    continue;
                }
                store_item item;
                item.task = instances.task(row.instance);
                item.spec = instances.specs()[std::size_t(row.instance)];
                if (item.spec.task < 0) {
                    std::span<std::int32_t const> const words = instances.words(row.instance);
                    item.words.assign(words.begin(), words.end());
                }
                items.push_back(std::move(item));
            }
        }
    }
    if (rejected > 0) {
        ctx.end_with(exit_rejected);
    }
    // The same instance twice is one row.
    std::set<store::row_key> seen;
    std::vector<std::vector<store_item>> blocks;
    for (store_item& item : items) {
        instance_hash const hash = item.spec.task >= 0 ? instance_hash() : hash_words(item.words);
        if (seen.insert(key_of_item(by, item, hash)).second) {
            if (blocks.empty() || std::int64_t(blocks.back().size()) == block_rows) {
                blocks.emplace_back();
            }
            blocks.back().push_back(std::move(item));
        }
    }
    return blocks;
}

}  // namespace optgap::cli
