// optgap eval: SR, QR, normalised QR, mean reward and dead groups per task and level.

#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "host/task_text.hpp"
#include "tools/cli/answers.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/scorer.hpp"
#include "tools/cli/summary.hpp"

namespace optgap::cli {
namespace {

/// One row's part in the statistics.
struct outcome {
    std::string task, level;
    std::int32_t group = 0;
    reward_row value;
};

double number_of(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    if (value == nullptr || is_json_null(*value)) {
        return name == "reward" ? NAN : 0.0;
    }
    if (*value == "true" || *value == "false") {
        return *value == "true" ? 1.0 : 0.0;
    }
    double number = 0;
    auto const [end, problem] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (problem != std::errc() || end != value->data() + value->size()) {
        throw field_error(std::string(name), "must be a number");
    }
    return number;
}

bool is_scored(json_row const& row) {
    return row.find("reward") != nullptr && row.find("feasible") != nullptr && row.find("quality") != nullptr;
}

/// Task and level, from their own columns or from the key.
void read_place(json_row const& row, outcome& out) {
    out.task = string_of(row, "task").value_or("");
    out.level = string_of(row, "level").value_or("");
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
}

/// What score groups by, as far as the row itself tells: a key's style and hash make no other instance.
std::string group_name(json_row const& row, std::string const& task) {
    if (std::string_view const* const group = row.find("group"); group != nullptr && !is_json_null(*group)) {
        return fmt::format("group {}", *group);
    }
    if (auto const text = string_of(row, "key")) {
        instance_key key = parse_key(*text);
        if (!key.is_explicit) {
            key.style = 0;
            key.hash.clear();
        }
        return to_string(key);
    }
    std::string_view const* const instance = row.find("instance");
    return fmt::format("{} {}", task, instance == nullptr ? std::string_view() : *instance);
}

outcome read_scored(json_row const& row, scorer& by) {
    outcome out;
    read_place(row, out);
    out.value.reward = float(number_of(row, "reward"));
    out.value.feasible = float(number_of(row, "feasible"));
    out.value.quality = float(number_of(row, "quality"));
    out.value.normalized = float(number_of(row, "normalized"));
    out.value.truncated = number_of(row, "truncated") > 0 ? 1 : 0;
    out.group = by.group_id(group_name(row, out.task));
    return out;
}

outcome from_score(json_row const& row, scored_row const& scored) {
    outcome out;
    read_place(row, out);
    out.value = scored.value;
    out.group = scored.group;
    return out;
}

using summaries = std::map<std::pair<std::string, std::string>, summary>;

constexpr char const* every_level = "all";

/// Levels from easy to benchmark, then the ladder, then the rest.
int level_rank(std::string const& level) {
    try {
        return parse_level(level).code;
    } catch (field_error const&) {
        return max_ladder + (level == every_level ? 2 : 1);
    }
}

std::vector<summaries::value_type const*> in_order(summaries const& all) {
    std::vector<summaries::value_type const*> order;
    for (auto const& entry : all) {
        order.push_back(&entry);
    }
    std::stable_sort(order.begin(), order.end(), [](auto const* a, auto const* b) {
        bool const a_last = a->first.first == every_level, b_last = b->first.first == every_level;
        return std::tuple(a_last, a->first.first, level_rank(a->first.second)) <
               std::tuple(b_last, b->first.first, level_rank(b->first.second));
    });
    return order;
}

void print_table(summaries const& all) {
    std::vector<std::pair<std::vector<std::string>, summary const*>> entries;
    for (auto const* entry : in_order(all)) {
        entries.push_back({{entry->first.first, entry->first.second}, &entry->second});
    }
    write_stdout(summary_table({"task", "level"}, entries));
}

void print_json(summaries const& all, std::int64_t rejected) {
    json rows = json::array();
    for (auto const* entry : in_order(all)) {
        summary const& of = entry->second;
        double const reward = of.mean_reward();
        rows.push_back({{"task", entry->first.first},
                        {"level", entry->first.second},
                        {"rows", of.rows()},
                        {"sr", of.success_rate()},
                        {"qr", of.quality_ratio()},
                        {"normalized_qr", of.normalized_quality_ratio()},
                        {"reward", std::isnan(reward) ? json() : json(reward)},
                        {"groups", of.groups()},
                        {"dead_groups", of.dead_groups()},
                        {"truncated", of.truncated()}});
    }
    write_stdout(json{{"summaries", rows}, {"rejected", rejected}}.dump(2) + "\n");
}

void eval(context& ctx, std::vector<std::string> const& files, score_options const& options) {
    scorer by(ctx, options);
    row_input input(ctx, files, "eval");
    summaries all;
    std::int64_t rejected = 0;
    std::string first;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        auto const raw_begin = std::stable_partition(
            items.begin(), items.end(), [](row_item const& item) { return item.sound() && is_scored(item.row); });
        auto const scored_count = std::size_t(raw_begin - items.begin());
        std::vector<scored_row> const scored = by.score(items.subspan(scored_count));
        for (std::size_t i = 0; i < items.size(); ++i) {
            row_item& item = items[i];
            try {
                if (item.sound()) {
                    outcome const row =
                        i < scored_count ? read_scored(item.row, by) : from_score(item.row, scored[i - scored_count]);
                    all[{row.task, row.level}].add(row.value, row.group);
                    all[{row.task, every_level}].add(row.value, row.group);
                    all[{every_level, every_level}].add(row.value, row.group);
                }
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
            }
            if (!item.sound() && rejected++ == 0) {
                first = fmt::format("row {}, {}: {}", item.number, item.field, item.rule);
            }
        }
    }
    input.finish(ctx);
    ctx.json ? print_json(all, rejected) : print_table(all);
    by.report_beaten();
    if (rejected > 0) {
        ctx.note(fmt::format("{} row{} left out, first {}", rejected, rejected == 1 ? "" : "s", first));
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_eval(CLI::App& app, context& ctx) {
    CLI::App* const command = add_command(
        app, "eval", "Success rate, quality ratio, reward and dead groups per task and level",
        {"optgap score rollouts.jsonl | optgap eval -", "optgap eval rollouts.jsonl --json"},
        {"Rows that optgap score wrote are counted as they are; others are scored first, by the same options.",
         "SR: share of feasible rows. QR: mean quality, 0 where infeasible. norm. QR: between the floor policy (0) and "
         "the",
         "baseline (1). dead: groups of two or more rows with equal rewards.", rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    auto options = std::make_shared<score_options>();
    add_files(*command, *files, "JSONL with scored rows, or with completions");
    add_score_options(*command, *options);
    command->callback([&ctx, files, options] { eval(ctx, *files, *options); });
}

}  // namespace optgap::cli
