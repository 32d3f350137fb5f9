// Suites by name, and how this build resolves them.

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "host/report/fingerprint.hpp"
#include "host/suites/suite_files.hpp"
#include "host/suites/suite_json.hpp"
#include "kernels/core/task.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr char const* of_all_tasks = "default";
constexpr std::string_view rlve = "rlve/";
constexpr std::string_view file_ending = ".json";
constexpr std::int64_t benchmark_count = 100;

std::string_view bare(std::string_view name) { return name.substr(0, name.find('@')); }

bool is_file(std::string_view word) { return word.ends_with(file_ending); }

/// RLVE's identifiers of a task, as a suite or a curriculum names them.
std::vector<std::string> names_in_rlve(task_entry const& task) {
    std::vector<std::string> names;
    for (char const* const* name = task.text->rlve; *name != nullptr; ++name) {
        names.push_back(std::string(rlve) + *name);
    }
    return names;
}

void place_natively(task_entry const& task, suite_entry& entry) {
    entry.place = suite_place::native;
    entry.native = task.name;
    entry.version = task.builds[0]->version;
    entry.family = task.text->family;
    if (entry.kind.empty()) {
        entry.kind = name_of(class_of(task.text->can));
    }
}

/// Resolves an entry to the first task of the build that has its name, or that stands for the environment of this name.
void place(suite_entry& entry) {
    entry.known = {entry.task};
    for (task_entry const& task : registry()) {
        std::vector<std::string> const twins = names_in_rlve(task);
        bool const named = task.name == entry.task;
        if (!named && std::find(twins.begin(), twins.end(), entry.task) == twins.end()) {
            continue;
        }
        if (entry.place != suite_place::native) {
            place_natively(task, entry);
        }
        if (named) {
            entry.known.insert(entry.known.end(), twins.begin(), twins.end());
        } else {
            entry.known.emplace_back(task.name);
        }
    }
    if (entry.place == suite_place::native) {
        return;
    }
    if (std::size_t const slash = entry.task.find('/'); slash != std::string::npos) {
        entry.place = suite_place::external;
        entry.reason = entry.task.starts_with(rlve)    ? "needs a checkout of RLVE on PYTHONPATH"
                       : entry.task.starts_with("rg/") ? "needs reasoning-gym: pip install reasoning-gym"
                                                       : "needs its environment: optgap.rows.external.configure";
    } else {
        entry.reason = "no task of this build has this name";
    }
}

/// A hash of what poses the problems; a longer title would not change it.
std::string placed_hash(suite const& of) {
    std::string placed = of.list_hash + "\n";
    for (suite_entry const& entry : of.entries) {
        placed += entry.place == suite_place::native
                      ? fmt::format("{} {}@{}\n", entry.task, entry.native, entry.version)
                      : fmt::format("{} {}\n", entry.task, name_of(entry.place));
    }
    return fingerprint(placed);
}

suite all_tasks() {
    suite of{.name = of_all_tasks,
             .title = "Every task of this build that is asked in prompts, at its benchmark level",
             .source = "computed from the build: a task joins by being there",
             .role = suite_role::problems,
             .entries = {},
             .list_hash = {},
             .hash = {}};
    for (task_entry const& task : registry()) {
        if (!task.text->direct) {
            continue;
        }
        suite_entry entry;
        entry.task = task.name;
        entry.levels = {difficulty::benchmark()};
        entry.count = benchmark_count;
        of.entries.push_back(std::move(entry));
    }
    of.list_hash = list_hash_of(of);
    return of;
}

suite from_file(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    file.peek();  // a folder can be opened, but fails when it is read
    if (!file.good()) {
        misuse(fmt::format("suite: cannot read the file '{}'; expected a list of tasks, as JSON", path));
    }
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    return read_suite(text, path, false);
}

suite listed(std::string const& name) {
    if (name == of_all_tasks) {
        return all_tasks();
    }
    for (suite_file const& file : suite_files()) {
        if (file.name == name + std::string(file_ending)) {
            return read_suite(file.text, fmt::format("host/suites/{}", file.name), true);
        }
    }
    misuse(fmt::format("suite: '{}' is none of {}; a file of your own ends in {}", name, fmt::join(suite_names(), ", "),
                       file_ending));
}

}  // namespace

std::vector<std::string> suite_names() {
    std::vector<std::string> names;
    for (suite_file const& file : suite_files()) {
        names.emplace_back(file.name.substr(0, file.name.size() - file_ending.size()));
    }
    std::sort(names.begin(), names.end());
    names.insert(names.begin(), of_all_tasks);
    return names;
}

suite find_suite(std::string_view word) {
    std::size_t const mark = is_file(word) ? std::string_view::npos : word.rfind('#');
    std::string const name(word.substr(0, mark));
    suite of = is_file(name) ? from_file(name) : listed(name);
    for (suite_entry& entry : of.entries) {
        place(entry);
    }
    of.hash = placed_hash(of);
    if (mark != std::string_view::npos) {
        std::string_view const digits = word.substr(mark + 1);
        if (digits.size() < 8 || !of.hash.starts_with(digits)) {
            misuse(
                fmt::format("suite: {} is {} in this build, not '{}': its list, a task that poses it or that task's "
                            "version differs; expected the first 8 digits or more",
                            name, of.hash, digits));
        }
    }
    return of;
}

void refuse_held_out(std::span<std::string const> suites, std::span<std::string const> tasks, std::string_view where) {
    for (std::string const& word : suites) {
        suite const of = find_suite(word);
        if (of.role == suite_role::problems) {
            misuse(fmt::format("{}: the suite {} keeps problems from training, by their split, not tasks: leave it out",
                               where, of.name));
        }
        for (std::string const& task : tasks) {
            for (suite_entry const& entry : of.entries) {
                if (std::find(entry.known.begin(), entry.known.end(), bare(task)) != entry.known.end()) {
                    misuse(fmt::format(
                        "{}: task {} is held out: the suite {} tests on it{}. Take it out of the training "
                        "tasks, or {} out of what is held out",
                        where, task, of.name, entry.task == bare(task) ? "" : " as " + entry.task, of.name));
                }
            }
        }
    }
}

}  // namespace optgap
