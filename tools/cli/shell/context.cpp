#include "tools/cli/shell/context.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "host/rows/read/options.hpp"
#include "optgap/task_choice.hpp"
#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
void context::take_packages() {
    std::string list;
    for (std::size_t k = 0; k < typed.size() && typed[k] != "--"; ++k) {
        if (typed[k].starts_with("--kinds=")) {
            list = typed[k].substr(8);
        } else if (typed[k] == "--kinds" && k + 1 < typed.size()) {
            list = typed[k + 1];
        }
    }
    packages = package_names(list);
}

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

task_table const& context::tasks() {
    if (tasks_ == nullptr) {
        tasks_ = std::make_unique<task_table>(get_engine());
    }
    return *tasks_;
}

std::int32_t context::task_named(std::string_view name) {
    try {
        return tasks().named(name);
    } catch (error const& unknown) {
        throw usage_error(unknown.what());
    }
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

}  // namespace optgap::cli
