// A store's report: what docs/scale.md says it shows, in that order.

#include "tools/cli/store/report_page.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_words = 20'000;   ///< of an instance that is drawn
constexpr std::size_t max_drawn = 150'000;  ///< bytes of a drawing
constexpr std::size_t max_curves = 12;      ///< of one chart
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

json value_or_null(std::int64_t value) { return value == no_objective ? json(nullptr) : json(value); }
json percent_of(double share) { return number_or_null(100 * share); }

double mean_gap(std::vector<double> const& values) {
    return values.empty() ? not_known : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Names with > in front are numbers, set to the right.
json table_json(std::vector<std::string> const& names, json rows) {
    json columns = json::array();
    for (std::string const& name : names) {
        bool const right = name.starts_with('>');
        columns.push_back({{"name", name.substr(right ? 1 : 0)}, {"align", right ? "right" : "left"}});
    }
    return {{"columns", columns}, {"rows", std::move(rows)}};
}

std::string key_text(store::row const& of) { return store::to_string(of.key, of.hash); }
std::string name_of(report_row const& of) { return of.own ? of.own->name : std::string(); }

std::string lead_of(report_numbers const& of) {
    report_cell const& all = of.total;
    std::string out = fmt::format("{} rows, {:.2f} % of them proven", all.rows,
                                  all.rows == 0 ? 0.0 : 100 * double(all.proven) / double(all.rows));
    if (!all.gaps.empty()) {
        out += fmt::format("; the mean gap of the rest is {:.3g} %", 100 * mean_gap(all.gaps));
    }
    return out + fmt::format("; content {}.", of.hash);
}

json tasks_section(report_numbers const& of) {
    json rows = json::array();
    for (auto const& [name, at] : of.cells) {
        double const answered = at.answered() == 0 ? not_known : double(at.answered());
        rows.push_back({name.first, name.second, at.rows, at.proven, at.unanswered,
                        percent_of(share_below(at.gaps, 0.5)), percent_of(share_below(at.gaps, 0.9)),
                        percent_of(share_below(at.gaps, 1)), number_or_null(at.floor_quality / answered),
                        number_or_null(at.greedy_quality / answered)});
    }
    json table = table_json({"task", "level", ">rows", ">proven", ">no answer", ">gap p50 %", ">p90 %", ">max %",
                             ">floor quality", ">greedy quality"},
                            rows);
    table["filter"] = 0;
    return {{"heading", "Tasks and levels"},
            {"text",
             "The gap is |objective − bound| / |bound| of the rows that are not proven. Quality is the mean share "
             "of the best known objective that the anchor reaches, 0 where it is infeasible."},
            {"table", table}};
}

/// From the first bin that holds something to behind the last.
std::pair<std::size_t, std::size_t> filled(doubling_counts const& counts) {
    std::size_t first = 0, last = counts.size();
    while (first < last && counts[first] == 0) {
        ++first;
    }
    while (last > first && counts[last - 1] == 0) {
        --last;
    }
    return {first, last};
}

json bars_of(doubling_counts const& counts) {
    std::pair<std::size_t, std::size_t> const range = filled(counts);
    json out = json::array();
    for (std::size_t b = range.first; b < range.second; ++b) {
        out.push_back({b == 0 ? 0.0 : std::exp2(double(b - 1)), counts[b]});
    }
    return out;
}

json histogram_json(char const* title, char const* label, doubling_counts const& counts) {
    return {{"kind", "histogram"},
            {"title", title},
            {"x", {{"label", label}}},
            {"y", {{"label", "rows"}}},
            {"series", {{{"name", "rows"}, {"points", bars_of(counts)}}}}};
}

/// Of at most so many tasks those with the most rows, and all rows.
json curves_json(report_numbers const& of) {
    std::vector<std::pair<std::string, report_cell const*>> shown;
    for (auto const& [name, at] : of.tasks) {
        shown.emplace_back(name, &at);
    }
    std::ranges::stable_sort(shown, [](auto const& a, auto const& b) { return a.second->rows > b.second->rows; });
    shown.resize(std::min(shown.size(), max_curves - 1));
    if (shown.size() != 1) {
        shown.insert(shown.begin(), {"all rows", &of.total});
    }
    std::pair<std::size_t, std::size_t> const range = filled(of.total.proof_steps);
    json series = json::array();
    for (auto const& [name, at] : shown) {
        json points = json::array();
        std::int64_t proven = 0;
        for (std::size_t b = range.first; b < range.second; ++b) {
            proven += at->proof_steps[b];
            points.push_back({std::exp2(double(b)), double(proven) / double(at->rows)});
        }
        series.push_back({{"name", name}, {"points", points}});
    }
    return {{"kind", "lines"},
            {"title", "Share proven in fewer steps"},
            {"x", {{"label", "steps"}, {"log", true}}},
            {"y", {{"label", "share of rows"}}},
            {"series", series}};
}

json effort_section(report_numbers const& of) {
    doubling_counts gaps{};
    for (double const gap : of.total.gaps) {
        gaps[std::size_t(std::bit_width(std::uint64_t(std::min(1e4 * gap, 1e18))))] += 1;
    }
    json charts = json::array();
    if (of.total.proven > 0) {
        charts.push_back(histogram_json("Steps to the proof", "steps, doubling", of.total.proof_steps));
        charts.push_back(curves_json(of));
    }
    if (!of.total.gaps.empty()) {
        charts.push_back(histogram_json("Gap of what is not proven", "hundredths of a percent, doubling", gaps));
    }
    return {{"heading", "Effort and gaps"},
            {"text",
             "A step is the task's own unit of work, so no clock is in these numbers. A row's proof counts the "
             "steps of the run that found its answer or its bound, whichever took more."},
            {"charts", charts}};
}

json changes_section(report_numbers const& of, report_source const& from) {
    json rows = json::array();
    auto const add = [&](std::string const& task, std::string const& level, report_cell const& at) {
        rows.push_back({task, level, at.added, at.better, at.newly_proven, at.worse, at.no_longer_proven, at.gone});
    };
    for (auto const& [name, at] : of.cells) {
        add(name.first, name.second, at);
    }
    if (of.cells.size() > 1) {
        add("all", "", of.total);
    }
    json section = {{"heading", "Changes"},
                    {"text", fmt::format("Since `{}`, content {}. {}", from.against, of.old_hash,
                                         of.got_worse() == 0 ? "No row got worse, lost its proof or is gone."
                                                             : fmt::format("{} rows got worse, lost their proof "
                                                                           "or are gone: there should be none.",
                                                                           of.got_worse()))},
                    {"table", table_json({"task", "level", ">added", ">better", ">newly proven", ">worse",
                                          ">no longer proven", ">gone"},
                                         rows)}};
    if (!of.regressions.empty()) {
        json lost = json::array();
        for (report_row const& one : of.regressions) {
            lost.push_back({key_text(one.row), name_of(one), value_or_null(one.row.objective),
                            value_or_null(one.row.bound), one.row.proven() ? "yes" : "no"});
        }
        section["sections"] =
            json::array({{{"heading", "What got worse"},
                          {"text", fmt::format("The first {} rows, as they were.", of.regressions.size())},
                          {"table", table_json({"key", "name", ">objective", ">bound", "proven"}, lost)}}});
    }
    return section;
}

/// The commands that go on with a row at ten times its budget.
std::string continuing(report_row const& of, report_source const& from) {
    std::int64_t const budget = 10 * std::max<std::int64_t>(1, std::max(of.row.tried, of.row.bounded.budget));
    std::string const into = from.continues ? from.path : "more.db";
    if (!of.own) {
        return fmt::format("optgap recompute --store {} --spec '{}:{}:{}:{}' --budget {}", into, of.row.key.task,
                           level_name({of.row.key.level}), split_name(split(of.row.key.part)),
                           std::uint64_t(of.row.key.seed), budget);
    }
    return fmt::format("optgap store export {} | grep -F '{}' | optgap recompute --store {} --in - --budget {}",
                       from.path, key_text(of.row), into, budget);
}

/// An element, or not_known where it would be too large or the task draws none.
std::string picture_of(context& ctx, report_row const& of) {
    engine const& by = ctx.get_engine(false);
    std::int32_t const task = by.task_index(of.row.key.task);
    if (store::find_task(by, of.row.key.task, of.row.key.version) == nullptr || ctx.text(task).picture == nullptr) {
        return {};
    }
    instance_batch made;
    if (!of.own) {
        instance_spec const spec{task, {of.row.key.level}, split(of.row.key.part), std::uint64_t(of.row.key.seed)};
        made = by.generate(std::span(&spec, 1));
    }
    std::span<std::int32_t const> const words =
        of.own ? std::span<std::int32_t const>(of.own->words) : made.blocks.row(0);
    if (words.size() > max_words || hash_words(words) != of.row.hash) {
        return {};
    }
    std::span<std::int32_t const> const answer = of.row.answer;
    std::string drawn = ctx.text(task).picture({words.data(), std::int64_t(words.size())},
                                               {answer.data(), std::int64_t(answer.size())});
    return drawn.size() > max_drawn ? std::string() : drawn;
}

json worst_section(context& ctx, report_numbers const& of, report_source const& from) {
    json rows = json::array(), inner = json::array();
    for (report_row const& one : of.worst) {
        rows.push_back({key_text(one.row), name_of(one), value_or_null(one.row.objective), value_or_null(one.row.bound),
                        one.row.bound_kind, percent_of(one.gap), one.row.found.solver, one.row.tried});
        json row = {{"heading", key_text(one.row)}, {"text", fmt::format("`{}`", continuing(one, from))}};
        if (std::string const drawn = picture_of(ctx, one); !drawn.empty()) {
            row["pictures"] =
                json::array({{{"svg", drawn},
                              {"caption", fmt::format("{}{}the best known answer, {}", name_of(one),
                                                      name_of(one).empty() ? "" : ": ", one.row.objective)}}});
        }
        inner.push_back(row);
    }
    return {
        {"heading", "Worst rows"},
        {"id", "worst"},
        {"text", fmt::format("The {} rows with the largest gap, and the command that goes on with each, at ten times "
                             "the steps it had.{}",
                             of.worst.size(),
                             from.continues ? ""
                                            : fmt::format(" It writes `more.db`: what is better in it goes "
                                                          "into one file by `optgap store merge all.db {} "
                                                          "more.db`.",
                                                          from.path))},
        {"table",
         table_json({"key", "name", ">objective", ">bound", "bound's kind", ">gap %", "found by", ">steps tried"},
                    rows)},
        {"sections", inner}};
}

json published_section(context& ctx, report_numbers const& of) {
    engine const& by = ctx.get_engine(false);
    json rows = json::array();
    std::int64_t news = 0;
    for (report_row const& one : of.published) {
        sense const direction = store::direction_of(by, one.row.key.task);
        bool const ours = store::better(direction, one.row.objective, one.row.published);
        bool const theirs = store::better(direction, one.row.published, one.row.objective);
        bool const crossed = one.row.excluded || (one.row.bound != no_objective &&
                                                  store::better(direction, one.row.published, one.row.bound));
        news += ours || crossed ? 1 : 0;
        rows.push_back({key_text(one.row), name_of(one), value_or_null(one.row.published),
                        value_or_null(one.row.objective), value_or_null(one.row.bound), one.row.proven() ? "yes" : "no",
                        crossed  ? "news: published is better than our bound allows"
                        : ours   ? "news: ours is better"
                        : theirs ? "published is better"
                                 : "equal"});
    }
    std::string text = fmt::format(
        "Values that others published, on their word, beside verified answers and our own bounds. {} of {} are news.",
        news, of.published.size());
    if (of.published_left_out > 0) {
        text += fmt::format(" {} more are not shown.", of.published_left_out);
    }
    return {{"heading", "Published values"},
            {"id", "published"},
            {"text", text},
            {"table", table_json({"key", "name", ">published", ">ours", ">bound", "proven", "which is better"}, rows)}};
}

/// Times of the wall clock, which differ from run to run; the page has them only where they are asked for.
json times_section(std::vector<store::time_entry> const& times) {
    json rows = json::array(), points = json::array();
    std::map<std::string, double> seconds_of;
    double all = 0;
    for (store::time_entry const& one : times) {
        double const seconds = 1e-9 * double(one.nanoseconds);
        rows.push_back({one.task, one.level, one.engine, one.threads, one.rows, seconds, double(one.rows) / seconds,
                        1e6 * seconds / double(one.rows), double(one.steps) / seconds});
        seconds_of[one.task] += seconds;
        all += seconds;
    }
    std::vector<std::pair<std::string, double>> costliest(seconds_of.begin(), seconds_of.end());
    std::ranges::stable_sort(costliest, [](auto const& a, auto const& b) { return a.second > b.second; });
    costliest.resize(std::min(costliest.size(), max_curves));
    for (auto const& [task, seconds] : costliest) {
        points.push_back({task, seconds});
    }
    json table = table_json(
        {"task", "level", "engine", ">threads", ">rows", ">seconds", ">rows/s", ">µs a row", ">steps/s"}, rows);
    table["filter"] = 0;
    return {
        {"heading", "Throughput"},
        {"text",
         fmt::format(
             "What `optgap recompute` took for the rows it solved into these files, {:.3g} s by the wall's clock "
             "from commit to commit, on whatever machines ran it. Rows that were solved again count again; "
             "imported ones are not in it.",
             all)},
        {"charts",
         json::array({{{"kind", "bars"},
                       {"title", costliest.size() < seconds_of.size() ? "Where the time went: the most expensive tasks"
                                                                      : "Where the time went"},
                       {"x", {{"label", "task"}}},
                       {"y", {{"label", "seconds"}}},
                       {"series", {{{"name", "seconds"}, {"points", points}}}}}})},
        {"table", table}};
}

}  // namespace

std::string report_page(context& ctx, report_numbers const& of, report_source const& from) {
    json facts = json::array();
    facts.push_back(json::array({"rows", of.total.rows}));
    facts.push_back(json::array({"proven", of.total.proven}));
    facts.push_back(json::array({"without an answer", of.total.unanswered}));
    if (!from.against.empty()) {
        facts.push_back(json::array({"better", of.total.better}));
        facts.push_back(json::array({"newly proven", of.total.newly_proven}));
        facts.push_back(json::array({"worse or gone", of.got_worse()}));
    }
    json sections = json::array({tasks_section(of), effort_section(of)});
    if (!from.against.empty()) {
        sections.push_back(changes_section(of, from));
    }
    if (!of.worst.empty()) {
        sections.push_back(worst_section(ctx, of, from));
    }
    if (!of.published.empty()) {
        sections.push_back(published_section(ctx, of));
    }
    if (!from.times.empty()) {
        sections.push_back(times_section(from.times));
    }
    return json_text({{"title", "Stored baselines"},
                      {"lead", lead_of(of)},
                      {"facts", facts},
                      {"sections", sections},
                      {"command", ctx.command_line}});
}

}  // namespace optgap::cli
