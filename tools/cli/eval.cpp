// optgap eval: SR, QR, normalised QR, mean reward and dead groups per task and level.

#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "host/task_text.hpp"
#include "tools/cli/answers.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/scorer.hpp"
#include "tools/cli/table.hpp"

namespace optgap::cli {
namespace {

/// One row's part in the statistics.
struct outcome {
    std::string task, level;
    std::int32_t group = 0;
    double reward = 0;  ///< NaN: none
    double feasible = 0, quality = 0, normalized = 0;
    bool truncated = false;
};

struct group_range {
    std::int64_t rows = 0;
    double low = INFINITY, high = -INFINITY;
};

/// Sums over the rows of one task and level.
struct summary {
    std::int64_t rows = 0, rewarded = 0, truncated = 0;
    double feasible = 0, quality = 0, normalized = 0, reward = 0;
    std::unordered_map<std::int32_t, group_range> groups;

    void add(outcome const& row) {
        ++rows;
        truncated += row.truncated ? 1 : 0;
        feasible += row.feasible > 0 ? 1 : 0;
        quality += row.feasible > 0 ? row.quality : 0.0;
        normalized += row.feasible > 0 ? row.normalized : 0.0;
        group_range& range = groups[row.group];
        if (!std::isnan(row.reward)) {
            ++rewarded;
            reward += row.reward;
            ++range.rows;
            range.low = std::min(range.low, row.reward);
            range.high = std::max(range.high, row.reward);
        }
    }
    /// Groups of two or more whose rewards are all equal: they teach nothing.
    [[nodiscard]] std::int64_t dead() const {
        std::int64_t count = 0;
        for (auto const& [id, range] : groups) {
            count += range.rows >= 2 && range.low == range.high ? 1 : 0;
        }
        return count;
    }
    [[nodiscard]] double share(double sum) const { return sum / double(std::max<std::int64_t>(1, rows)); }
    [[nodiscard]] double mean_reward() const { return rewarded == 0 ? NAN : reward / double(rewarded); }
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

outcome read_scored(json_row const& row, scorer& by) {
    outcome out;
    read_place(row, out);
    out.reward = number_of(row, "reward");
    out.feasible = number_of(row, "feasible");
    out.quality = number_of(row, "quality");
    out.normalized = number_of(row, "normalized");
    out.truncated = number_of(row, "truncated") > 0;
    std::string name;
    for (std::string_view const field : {"group", "key", "task", "instance"}) {
        std::string_view const* const value = row.find(field);
        if (value != nullptr && name.empty() && !is_json_null(*value) && field != "task") {
            name = fmt::format("{} {}", field, *value);
        }
    }
    out.group = by.group_id(name);
    return out;
}

outcome from_score(json_row const& row, scored_row const& scored) {
    outcome out;
    read_place(row, out);
    out.reward = scored.value.reward;
    out.feasible = scored.value.feasible;
    out.quality = scored.value.quality;
    out.normalized = scored.value.normalized;
    out.truncated = scored.value.truncated != 0;
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
    table out({{"task"}, {"level"}, {"rows", align::right}, {"SR %", align::right}, {"QR %", align::right},
               {"norm. QR %", align::right}, {"reward", align::right}, {"groups", align::right},
               {"dead", align::right}, {"truncated", align::right}});
    for (auto const* entry : in_order(all)) {
        summary const& s = entry->second;
        out.add({entry->first.first, entry->first.second, std::to_string(s.rows), fmt::format("{:.1f}", 100 * s.share(s.feasible)),
                 fmt::format("{:.1f}", 100 * s.share(s.quality)), fmt::format("{:.1f}", 100 * s.share(s.normalized)),
                 s.rewarded == 0 ? "-" : fmt::format("{:.3f}", s.mean_reward()), std::to_string(s.groups.size()),
                 std::to_string(s.dead()), std::to_string(s.truncated)});
    }
    write_stdout(out.text());
}

void print_json(summaries const& all, std::int64_t rejected) {
    json rows = json::array();
    for (auto const* entry : in_order(all)) {
        summary const& s = entry->second;
        rows.push_back({{"task", entry->first.first}, {"level", entry->first.second}, {"rows", s.rows},
                        {"sr", s.share(s.feasible)}, {"qr", s.share(s.quality)}, {"normalized_qr", s.share(s.normalized)},
                        {"reward", s.rewarded == 0 ? json() : json(s.mean_reward())}, {"groups", s.groups.size()},
                        {"dead_groups", s.dead()}, {"truncated", s.truncated}});
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
        auto const raw_begin = std::stable_partition(items.begin(), items.end(), [](row_item const& item) {
            return item.sound() && is_scored(item.row);
        });
        auto const scored_count = std::size_t(raw_begin - items.begin());
        std::vector<scored_row> const scored = by.score(items.subspan(scored_count));
        for (std::size_t i = 0; i < items.size(); ++i) {
            row_item& item = items[i];
            try {
                if (item.sound()) {
                    outcome const row = i < scored_count ? read_scored(item.row, by) : from_score(item.row, scored[i - scored_count]);
                    all[{row.task, row.level}].add(row);
                    all[{row.task, every_level}].add(row);
                    all[{every_level, every_level}].add(row);
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
         "SR: share of feasible rows. QR: mean quality, 0 where infeasible. norm. QR: between the floor policy (0) and the",
         "baseline (1). dead: groups of two or more rows with equal rewards.", rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    auto options = std::make_shared<score_options>();
    add_files(*command, *files, "JSONL with scored rows, or with completions");
    add_score_options(*command, *options);
    command->callback([&ctx, files, options] { eval(ctx, *files, *options); });
}

}  // namespace optgap::cli
