#include "tools/cli/measure/bench_report.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace optgap::cli {

namespace {

using json = nlohmann::ordered_json;

std::string milliseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1e3); }

/// The ceiling that binds, and the share of it that is reached.
struct bound {
    std::string ceiling;
    double share = 0;
};

/// Of what takes `seconds`; nothing where no ceiling is known.
std::optional<bound> bound_of(std::vector<bench::need> const& needs, double seconds,
                              std::vector<ceiling> const& ceilings) {
    std::optional<bound> tightest;
    for (bench::need const& one : needs) {
        for (ceiling const& limit : ceilings) {
            double const share = one.amount / limit.median / seconds;
            if (limit.name == one.ceiling && (!tightest || share > tightest->share)) {
                tightest = {limit.name, share};
            }
        }
    }
    return tightest;
}

std::optional<bound> bound_of(bench::measurement const& made, std::vector<ceiling> const& ceilings) {
    return bound_of(made.needs, bench::quantile(made.seconds, 0.5), ceilings);
}

std::string text_of(std::optional<bound> const& found) {
    return found ? fmt::format("{:.3g} % {}", 100 * found->share, found->ceiling) : "";
}

double loop_alone(bench::interference_round const& round) { return round.loop_alone; }
double engine_alone(bench::interference_round const& round) { return round.engine_alone; }
double slowdown(bench::interference_round const& round) { return round.slowdown(); }
double kept(bench::interference_round const& round) { return round.kept(); }

std::string amount_of(bench::goal const& goal, double value) {
    if (goal.unit == "s") {
        return milliseconds(value) + " ms";
    }
    if (goal.unit == "share") {
        return percent(value);
    }
    return goal.unit == "times" ? fmt::format("{:.2f} x", value) : scaled(value) + " " + goal.unit;
}

char const* text_of(bench::claim held) {
    return held == bench::claim::yes ? "yes" : held == bench::claim::no ? "no" : "unclear";
}

char const* verdict_of(std::optional<bool> met) { return !met ? "not measured" : *met ? "met" : "not met"; }

}  // namespace

std::string scaled(double value) {
    constexpr std::array<char const*, 5> prefixes{"", " k", " M", " G", " T"};
    std::size_t power = 0;
    for (; value >= 1000 && power + 1 < prefixes.size(); ++power) {
        value /= 1000;
    }
    return fmt::format("{:.4g}{}", value, prefixes[power]);
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

table measurement_table() {
    return table({{"workload"},
                  {"task"},
                  {"level"},
                  {"batch", align::right},
                  {"per second", align::right},
                  {"unit"},
                  {"spread", align::right},
                  {"of ceiling", align::right},
                  {"sample ms", align::right},
                  {"p50 / p99 / max ms, ratios or stages", align::right}});
}

void add_row(table& shown, bench::measurement const& made, std::vector<ceiling> const& ceilings) {
    std::string latency;
    if (!made.latencies.empty()) {
        latency = milliseconds(bench::quantile(made.latencies, 0.5)) + " / " +
                  milliseconds(bench::quantile(made.latencies, 0.99)) + " / " +
                  milliseconds(bench::quantile(made.latencies, 1.0));
    }
    for (auto const& [name, ratio] : made.ratios) {
        latency += fmt::format("{}{} {}", latency.empty() ? "" : "; ", name, percent(ratio));
    }
    if (latency.empty()) {
        for (auto const& [name, seconds] : made.stages) {
            latency += fmt::format("{}{} {:.1f} us", latency.empty() ? "" : "; ", name, seconds * 1e6);
        }
    }
    shown.add({made.workload, made.task, made.level, std::to_string(made.batch), scaled(made.rate()), made.unit,
               percent(made.spread()), text_of(bound_of(made, ceilings)),
               milliseconds(bench::quantile(made.seconds, 0.5)), latency});
}

json to_json(bench::measurement const& made, std::vector<ceiling> const& ceilings) {
    json row{{"workload", made.workload}, {"task", made.task},       {"level", made.level},
             {"batch", made.batch},       {"unit", made.unit},       {"items_per_sample", made.items},
             {"rate", made.rate()},       {"spread", made.spread()}, {"samples_s", made.seconds}};
    if (!made.latencies.empty()) {
        row["latency_s"] = {{"p50", bench::quantile(made.latencies, 0.5)},
                            {"p99", bench::quantile(made.latencies, 0.99)},
                            {"max", bench::quantile(made.latencies, 1.0)}};
    }
    if (std::optional<bound> const found = bound_of(made, ceilings)) {
        row["ceiling"] = found->ceiling;
        row["share_of_ceiling"] = found->share;
    }
    for (auto const& [stage, seconds] : made.stages) {
        row["stages_s"][stage] = seconds;
    }
    for (auto const& [name, ratio] : made.ratios) {
        row["ratios"][name] = ratio;
    }
    return row;
}

std::string text_of(std::vector<bench::interference> const& rows, std::vector<ceiling> const& ceilings) {
    table shown({{"loop"},
                 {"engine"},
                 {"process"},
                 {"threads", align::right},
                 {"SMs", align::right},
                 {"launch us", align::right},
                 {"loop alone", align::right},
                 {"of ceiling", align::right},
                 {"engine alone", align::right},
                 {"of ceiling", align::right},
                 {"loop slower", align::right},
                 {"spread", align::right},
                 {"engine keeps", align::right},
                 {fmt::format("default within {:.0f} %", 100 * bench::largest_slowdown)}});
    for (bench::interference const& row : rows) {
        bool const gpu = row.where == device::cuda;
        double const loop_rate = row.median(loop_alone);
        double const engine_rate = row.median(engine_alone);
        shown.add(
            {row.loop, row.workload, row.of.apart ? "its own" : "the loop's", std::to_string(row.of.threads),
             !gpu                          ? "-"
             : row.of.multiprocessors == 0 ? "all"
                                           : std::to_string(row.of.multiprocessors),
             gpu ? std::to_string(row.of.launch_microseconds) : "-", scaled(loop_rate) + " " + row.loop_unit + "/s",
             text_of(bound_of(row.loop_needs, 1 / loop_rate, ceilings)), scaled(engine_rate) + " " + row.unit + "/s",
             text_of(bound_of(row.engine_needs, 1 / engine_rate, ceilings)), percent(row.median(slowdown)),
             percent(row.spread(slowdown)), percent(row.median(kept)),
             row.of.is_default ? text_of(row.slowdown_holds()) : ""});
    }
    return shown.text();
}

json to_json(bench::interference const& row, std::vector<ceiling> const& ceilings) {
    json out{{"loop", row.loop}, {"loop_unit", row.loop_unit}, {"workload", row.workload},
             {"unit", row.unit}, {"batch", row.batch},         {"threads", row.of.threads}};
    if (row.where == device::cuda) {
        out["multiprocessors"] = row.of.multiprocessors;
        out["launch_microseconds"] = row.of.launch_microseconds;
    }
    out["process"] = row.of.apart ? "its own" : "the loop's";
    out["default"] = row.of.is_default;
    out["slowdown"] = row.median(slowdown);
    out["slowdown_spread"] = row.spread(slowdown);
    out["largest_slowdown"] = bench::largest_slowdown;
    out["holds"] = text_of(row.slowdown_holds());
    out["engine_keeps"] = row.median(kept);
    out["engine_keeps_spread"] = row.spread(kept);
    out["loop_rate"] = row.median(loop_alone);
    out["engine_rate"] = row.median(engine_alone);
    if (auto const found = bound_of(row.loop_needs, 1 / row.median(loop_alone), ceilings)) {
        out["loop_ceiling"] = found->ceiling;
        out["loop_share_of_ceiling"] = found->share;
    }
    if (auto const found = bound_of(row.engine_needs, 1 / row.median(engine_alone), ceilings)) {
        out["engine_ceiling"] = found->ceiling;
        out["engine_share_of_ceiling"] = found->share;
    }
    for (bench::interference_round const& round : row.rounds) {
        out["rounds"].push_back({{"loop_alone", round.loop_alone},
                                 {"engine_alone", round.engine_alone},
                                 {"loop_beside", round.loop_beside},
                                 {"engine_beside", round.engine_beside}});
    }
    return out;
}

std::string text_of(std::vector<bench::goal> const& goals) {
    table shown(
        {{"goal"}, {"what"}, {"on"}, {"promised", align::right}, {"measured", align::right}, {"goal is"}, {"note"}});
    for (bench::goal const& goal : goals) {
        shown.add({goal.name, goal.what, goal.where == device::cuda ? "GPU" : "CPU",
                   (goal.at_least ? ">= " : "<= ") + amount_of(goal, goal.limit),
                   goal.value ? amount_of(goal, *goal.value) : "-", verdict_of(goal.met()), goal.note});
    }
    std::int64_t const met = std::ranges::count(goals, std::optional(true), &bench::goal::met);
    std::int64_t const unmet = unmet_goals(goals);
    return shown.text() +
           fmt::format("{} met, {} not met, {} not measured\n", met, unmet, std::int64_t(goals.size()) - met - unmet);
}

std::int64_t unmet_goals(std::vector<bench::goal> const& goals) {
    return std::ranges::count(goals, std::optional(false), &bench::goal::met);
}

json to_json(bench::goal const& goal) {
    json out{{"goal", goal.name},
             {"what", goal.what},
             {"device", goal.where == device::cuda ? "cuda" : "cpu"},
             {"unit", goal.unit},
             {goal.at_least ? "at_least" : "at_most", goal.limit}};
    out["value"] = goal.value ? json(*goal.value) : json(nullptr);
    out["verdict"] = verdict_of(goal.met());
    out["note"] = goal.note;
    return out;
}

json to_json(ceiling const& found) {
    return {{"name", found.name}, {"unit", found.unit}, {"median", found.median}, {"samples", found.samples}};
}

}  // namespace optgap::cli
