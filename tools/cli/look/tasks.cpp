// optgap tasks: what this build can pose.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/text/certificate.hpp"
#include "optgap/task_choice.hpp"
#include "tools/cli/look/task_page.hpp"
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
          std::pair(can.greedy, "greedy"), std::pair(can.decides, "decides"), std::pair(can.computes, "computes")}) {
        if (has) {
            names.push_back(name);
        }
    }
    return names;
}

/// How the task's optima are shown, in the order in which it is tried (optgap certify).
std::vector<char const*> proofs_of(std::size_t task) {
    certificate_form const* const form = registry()[task].certificate;
    std::vector<char const*> names;
    if (form == nullptr) {
        return names;
    }
    for (auto const& [has, name] :
         {std::pair(form->computed, "computed"), std::pair(form->bound != nullptr, "bound"),
          std::pair(form->linear != nullptr, "linear"), std::pair(form->search != nullptr, "search"),
          std::pair(form->distances != nullptr, "one_tree"), std::pair(form->branch != nullptr, "branch"),
          std::pair(form->sums != nullptr, "table"), std::pair(form->cases != nullptr, "walk")}) {
        if (has) {
            names.push_back(name);
        }
    }
    return names;
}

struct tasks_options {
    std::string kind, family, rlve;
};

/// Those that every option names.
std::vector<task_info> chosen(engine const& by, tasks_options const& options) {
    std::vector<task_info> left(by.tasks().begin(), by.tasks().end());
    for (auto const& [field, value] :
         {std::pair("class:", options.kind), std::pair("family:", options.family), std::pair("rlve:", options.rlve)}) {
        std::vector<task_info> kept;
        for (std::int32_t const t :
             value.empty() || left.empty() ? std::vector<std::int32_t>{} : choose_tasks(field + value, by.tasks())) {
            task_info const& wanted = by.tasks()[std::size_t(t)];
            if (std::any_of(left.begin(), left.end(), [&](task_info const& one) { return one.name == wanted.name; })) {
                kept.push_back(wanted);
            }
        }
        left = value.empty() ? left : kept;
    }
    return left;
}

void print_table(engine const& by, std::span<task_info const> tasks) {
    table out({{"task"},
               {"class"},
               {"family"},
               {"sense"},
               {"styles", align::right},
               {"title"},
               {"objective"},
               {"answer"},
               {"certificate"},
               {"rlve"}});
    for (task_info const& info : tasks) {
        out.add({fmt::format("{}@{}", info.name, info.version), std::string(name_of(info.kind)),
                 std::string(info.family), sense_name(info), std::to_string(info.styles), std::string(info.title),
                 std::string(info.objective), std::string(info.answer_form),
                 fmt::format("{}", fmt::join(proofs_of(std::size_t(by.task_index(info.name))), " ")),
                 fmt::format("{}", fmt::join(info.rlve, " "))});
    }
    write_stdout(out.text());
    write_stdout("\nlevels: easy, medium, hard, benchmark, d0, d1, d2, ...\n");
    std::vector<std::string_view> open, programs_only;
    for (task_info const& info : tasks) {
        if (!info.direct) {
            programs_only.push_back(info.name);
        }
        if (!registry()[std::size_t(by.task_index(info.name))].text->can.proves) {
            open.push_back(info.name);
        }
    }
    if (!open.empty()) {
        write_stdout(
            fmt::format("no optimum is proven at the named levels: {}; a baseline there is the best answer found, "
                        "with a bound\n",
                        fmt::join(open, ", ")));
    }
    if (!programs_only.empty()) {
        write_stdout(fmt::format("too long for a prompt: {}; programs that solve them are asked for\n",
                                 fmt::join(programs_only, ", ")));
    }
}

void print_json(engine const& by, std::span<task_info const> tasks) {
    json out = json::array();
    for (task_info const& info : tasks) {
        auto const task = std::size_t(by.task_index(info.name));
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
                       {"direct", info.direct},
                       {"certificates", proofs_of(task)},
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
                       {"rlve", info.rlve},
                       {"alphabet", info.syntax.alphabet != nullptr ? info.syntax.alphabet : ""},
                       {"first_letter", info.syntax.first_letter},
                       {"letter_rows", info.syntax.letter_rows},
                       {"expressions", info.syntax.expressions},
                       {"numbers", name_of(info.syntax.numbers)}});
        out.back().update(task_page(by, std::int32_t(task)));
    }
    write_stdout(json_text(out, 2) + "\n");
}

}  // namespace

void add_tasks(command_line& app, context& ctx) {
    auto const options = std::make_shared<tasks_options>();
    command_entry const command =
        app.add_command("tasks", "The tasks of this build",
                        {"optgap tasks", "optgap tasks --class satisfy", "optgap tasks --rlve SubsetSum --json"},
                        {"Wherever several tasks may be named, these stand for more than one: all, '*_set', 'cells/*' "
                         "(family and name),",
                         "class:satisfy, family:cells, tag:graph, rlve:SubsetSum."});
    command.add_option("--class", options->kind, "optimise, satisfy or exact");
    command.add_option("--family", options->family, "Of tasks with one shape of instance and answer");
    command.add_option("--rlve", options->rlve, "RLVE's identifier of an environment");
    command.on_run([&ctx, options] {
        engine const& by = ctx.get_engine(false);
        std::vector<task_info> const tasks = chosen(by, *options);
        ctx.json ? print_json(by, tasks) : print_table(by, tasks);
    });
}

}  // namespace optgap::cli
