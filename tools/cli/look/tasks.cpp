// optgap tasks: what this build can pose.

#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/registry/registry.hpp"
#include "tools/cli/look/task_page.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

char const* sense_name(task_info const& info) { return info.objective_sense == sense::minimise ? "min" : "max"; }

/// What the task can beside posing and judging, in words.
std::vector<char const*> abilities_of(std::size_t task) {
    abilities const can = registry()[task].text->can;
    std::vector<char const*> names;
    for (auto const& [has, name] :
         {std::pair(can.proves, "proves"), std::pair(can.bounds, "bounds"), std::pair(can.improves, "improves"),
          std::pair(can.greedy, "greedy"), std::pair(can.decides, "decides"),
          std::pair(can.computes, "computes")}) {
        if (has) {
            names.push_back(name);
        }
    }
    return names;
}

void print_table(std::span<task_info const> tasks) {
    table out({{"task"}, {"sense"}, {"styles", align::right}, {"title"}, {"objective"}, {"answer"}});
    for (task_info const& info : tasks) {
        out.add({fmt::format("{}@{}", info.name, info.version), sense_name(info), std::to_string(info.styles),
                 std::string(info.title), std::string(info.objective), std::string(info.answer_form)});
    }
    write_stdout(out.text());
    write_stdout("\nlevels: easy, medium, hard, benchmark, d0, d1, d2, ...\n");
}

void print_json(engine const& by) {
    json out = json::array();
    for (task_info const& info : by.tasks()) {
        std::size_t const task = std::size_t(&info - by.tasks().data());
        out.push_back({{"name", info.name},
                       {"version", info.version},
                       {"sense", sense_name(info)},
                       {"title", info.title},
                       {"summary", info.summary},
                       {"objective", info.objective},
                       {"answer_form", info.answer_form},
                       {"styles", info.styles},
                       {"levels", {"easy", "medium", "hard", "benchmark", "d0"}},
                       {"abilities", abilities_of(task)},
                       {"default_budget", info.default_budget},
                       {"codes", info.codes},
                       {"bound_kinds", info.bound_kinds},
                       {"words", info.words},
                       {"file_extensions", info.file_extensions},
                       {"axes", info.axes},
                       {"reward", info.reward},
                       {"class", name_of(info.kind)},
                       {"family", info.family},
                       {"tags", info.tags},
                       {"rlve", info.rlve}});
        out.back().update(task_page(by, std::int32_t(task)));
    }
    write_stdout(json_text(out, 2) + "\n");
}

}  // namespace

void add_tasks(command_line& app, context& ctx) {
    command_entry const command =
        app.add_command("tasks", "The tasks of this build", {"optgap tasks", "optgap tasks --json"});
    command.on_run([&ctx] {
        engine const& by = ctx.get_engine(false);
        ctx.json ? print_json(by) : print_table(by.tasks());
    });
}

}  // namespace optgap::cli
