#include "tools/cli/shell/context.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "host/specs/edit_distance.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/task_choice.hpp"
#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
engine const& context::get_engine(bool gpu_helps) {
    if (engine_ == nullptr) {
        engine_options options;
        parse_device(device_name, options);
        if (options.where == device::automatic && !gpu_helps) {
            options.where = device::cpu;
        }
        options.threads = threads;
        options.server = server;
        options.baselines = baselines;
        engine_ = std::make_unique<engine>(options);
    }
    return *engine_;
}

task_text const& context::text(std::int32_t task) {
    if (texts_.empty()) {
        for (task_info const& info : get_engine().tasks()) {
            auto const entries = registry();
            auto const found = std::find_if(entries.begin(), entries.end(),
                                            [&](task_entry const& entry) { return entry.name == info.name; });
            texts_.push_back(found->text);
        }
    }
    return *texts_[std::size_t(task)];
}

std::int32_t context::task_named(std::string_view name) {
    auto const tasks = get_engine().tasks();
    std::string_view const bare = name.substr(0, name.find('@'));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        task_info const& info = tasks[i];
        if (bare == info.name) {
            if (bare.size() < name.size() && name.substr(bare.size() + 1) != std::to_string(info.version)) {
                throw usage_error(fmt::format("this build carries {}@{}, not '{}'", info.name, info.version, name));
            }
            return std::int32_t(i);
        }
        names.emplace_back(info.name);
    }
    throw usage_error(fmt::format("no task is named '{}'; this build has: {}", name, closest_first(bare, names)));
}

std::vector<std::int32_t> context::tasks_named(std::vector<std::string> const& words, bool direct) {
    auto const tasks = get_engine().tasks();
    std::vector<std::int32_t> found;
    for (std::string const& word : words) {
        bool const plain = word != "all" && word.find_first_of("*:/") == std::string::npos;
        std::vector<std::int32_t> const those = plain    ? std::vector{task_named(word)}
                                                : direct ? choose_direct_tasks(word, tasks)
                                                         : choose_tasks(word, tasks);
        if (plain && direct && !tasks[std::size_t(those[0])].direct) {
            throw usage_error(not_direct(tasks[std::size_t(those[0])].name));
        }
        for (std::int32_t const task : those) {
            if (std::find(found.begin(), found.end(), task) == found.end()) {
                found.push_back(task);
            }
        }
    }
    return found;
}

void context::end_with(exit_code code) { result = std::max(result, int(code)); }

void context::note(std::string_view sentence) const {
    if (!quiet) {
        warn(sentence);
    }
}

void context::warn(std::string_view sentence) const { say(fmt::format("optgap: {}\n", sentence)); }

std::string closest_first(std::string_view name, std::vector<std::string> names) {
    std::stable_sort(names.begin(), names.end(), [&](std::string const& a, std::string const& b) {
        return edit_distance(name, a) < edit_distance(name, b);
    });
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace optgap::cli
