#include "tools/cli/make/set_index.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/shell/table.hpp"

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

json signal_json(signal_report const& signal) {
    json levels = json::array();
    for (signal_row const& row : signal.rows) {
        levels.push_back({{"level", level_name(row.level)},
                          {"instances", row.instances},
                          {"proven", row.proven},
                          {"words", row.words},
                          {"prompt_chars", row.prompt_chars},
                          {"greedy_optimal", row.greedy_best},
                          {"qualities", row.distinct},
                          {"groups_with_4", row.rich},
                          {"draws", row.draws},
                          {"repeated", row.repeated}});
    }
    return {{"benchmark_step", signal.rule.benchmark_step},
            {"met", signal.rule.met},
            {"sentence", signal.rule.sentence},
            {"levels", levels}};
}

/// The rows without a proof, as the card lists them.
json unproven_json(card_task const& of) {
    json open = json::array();
    for (std::size_t r = 0; r < of.set.rows.size(); ++r) {
        baseline const& row = of.set.solved.rows[r];
        if (!row.proven()) {
            benchmark_row const& it = of.set.rows[r];
            bool const has_answer = row.objective != no_objective;
            open.push_back({{"key", to_string(key_of(*of.info, it.spec, it.hash, it.style))},
                            {"objective", has_answer ? json(row.objective) : json()},
                            {"bound", row.bound},
                            {"gap", has_answer ? json(std::abs(row.bound - row.objective)) : json()}});
        }
    }
    return open;
}

json suite_json(suite const& of) {
    json left_out = json::array();
    for (suite_entry const& entry : of.entries) {
        if (entry.place != suite_place::native) {
            left_out.push_back({{"task", entry.task}, {"place", name_of(entry.place)}, {"reason", entry.reason}});
        }
    }
    return {{"suite", of.name}, {"role", name_of(of.role)},     {"list_hash", of.list_hash},
            {"hash", of.hash},  {"entries", of.entries.size()}, {"left_out", left_out}};
}

std::string index_text_of(card_table const& facts) {
    std::vector<table::column> columns;
    for (std::size_t c = 0; c < facts.titles.size(); ++c) {
        columns.push_back({facts.titles[c], c < facts.labels ? align::left : align::right});
    }
    table out(std::move(columns));
    for (auto const& row : facts.rows) {
        out.add(row);
    }
    return out.text();
}

/// Is every optimum proven, and if not, which are not and how far is the bound.
std::string proofs_text(card const& made) {
    std::size_t rows = 0;
    card_table open;
    for (card_task const& of : made.tasks) {
        card_table const some = unproven_rows(of);
        rows += of.set.rows.size();
        open.titles = some.titles;
        open.rows.insert(open.rows.end(), some.rows.begin(), some.rows.end());
    }
    std::string const proven = fmt::format("\nproven: {} of {} baselines\n", rows - open.rows.size(), rows);
    return open.rows.empty() ? proven : proven + "\n" + index_text_of(open);
}

/// What of a suite is not written.
std::string left_out_text(suite const& of) {
    auto const left_out = std::count_if(of.entries.begin(), of.entries.end(),
                                        [](suite_entry const& entry) { return entry.place != suite_place::native; });
    return left_out == 0 ? std::string()
                         : fmt::format(
                               "\n{} of the suite's {} entries are not in this file: no task of this build poses "
                               "them; `optgap suite show {}` lists what does\n",
                               left_out, of.entries.size(), of.name);
}

}  // namespace

std::string rows_file(card const& made, card_task const& task) {
    return fmt::format("{}.jsonl", made.of.name.empty() ? task.info->name : std::string_view(made.of.name));
}

json set_index(card const& made, json const& files) {
    json tasks = json::array();
    for (card_task const& task : made.tasks) {
        json const open = unproven_json(task);
        tasks.push_back({{"task", task.info->name},
                         {"version", task.info->version},
                         {"file", rows_file(made, task)},
                         {"rows", task.set.rows.size()},
                         {"proven", task.set.rows.size() - open.size()},
                         {"unproven", open},
                         {"repeated_seeds", task.set.repeated},
                         {"relabelled_seeds", task.set.relabelled},
                         {"signal", signal_json(task.signal)}});
    }
    json index{
        {"engine", "optgap " OPTGAP_VERSION}, {"command", made.command}, {"split", made.split}, {"level", made.levels}};
    if (made.of.name.empty()) {
        index.update({{"count", made.count}, {"seed", made.seed}});
    } else {
        index["suite"] = suite_json(made.of);
    }
    index.update({{"tasks", tasks}, {"files", files}});
    return index;
}

std::string set_text(card const& made) {
    return index_text_of(overview(made)) + proofs_text(made) + left_out_text(made.of);
}

}  // namespace optgap::cli
