// optgap bench compare: two runs side by side. optgap bench merge: results into a file of them.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/comparison.hpp"
#include "host/rows/json/json_text.hpp"
#include "tools/cli/measure/bench_report.hpp"
#include "tools/cli/measure/results/commands.hpp"
#include "tools/cli/measure/results/files.hpp"
#include "tools/cli/measure/results/lines.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;
using lines_by_name = std::map<std::string, std::vector<json const*>>;

constexpr std::size_t max_named = 8;  ///< of the rows that one file alone has

struct compare_options {
    std::string before, after;
    double tolerance = 0;
    bool any_machine = false;
};

struct pairing {
    std::vector<std::pair<json const*, json const*>> pairs;
    std::vector<json const*> only_before, only_after;
};

/// A file's rates; what has none has no part in a comparison.
std::vector<json> rates_of(std::string const& path) {
    std::vector<json> lines = read_lines(path);
    std::erase_if(lines, [](json const& line) { return !line.contains("samples"); });
    if (lines.empty()) {
        throw usage_error(path + ": holds no rates; expected rows of benchmarks, each with its samples");
    }
    return lines;
}

lines_by_name named(std::vector<json> const& lines, std::string (*name_of)(json const&)) {
    lines_by_name found;
    for (json const& line : lines) {
        found[name_of(line)].push_back(&line);
    }
    return found;
}

/// Where they were measured, each place once.
std::string places_of(std::vector<json> const& lines) {
    std::set<std::string> places;
    for (json const& line : lines) {
        places.insert(measured_on(line));
    }
    return fmt::format("{}", fmt::join(places, " and "));
}

std::string threads_of(json const& line) { return std::to_string(line["threads"].get<std::int64_t>()); }

/// The rows of one name in each file: one in each, or by their threads.
void pair_rows(pairing& found, std::vector<json const*> const& before, std::vector<json const*> const& after,
               compare_options const& options) {
    bool const one_each = before.size() == 1 && after.size() == 1;
    std::map<std::string, std::pair<json const*, json const*>> by_threads;
    for (auto const& [rows, path, side] : {std::tuple{&before, &options.before, 0}, {&after, &options.after, 1}}) {
        for (json const* row : *rows) {
            auto& [left, right] = by_threads[one_each ? "" : threads_of(*row)];
            json const*& place = side == 0 ? left : right;
            if (place != nullptr) {
                throw usage_error(fmt::format("{}: holds '{}' twice, expected each row once{}", *path, label_of(*row),
                                              options.any_machine ? ": results of one machine" : ""));
            }
            place = row;
        }
    }
    for (auto const& [threads, both] : by_threads) {
        if (both.first != nullptr && both.second != nullptr) {
            found.pairs.push_back(both);
        } else {
            (both.first != nullptr ? found.only_before : found.only_after)
                .push_back(both.first != nullptr ? both.first : both.second);
        }
    }
}

pairing paired(std::vector<json> const& before, std::vector<json> const& after, compare_options const& options) {
    auto* const name_of = options.any_machine ? row_of : key_of;
    lines_by_name left = named(before, name_of), right = named(after, name_of);
    pairing found;
    for (auto const& [name, rows] : left) {
        pair_rows(found, rows, right[name], options);
        right.erase(name);
    }
    for (auto const& [name, rows] : right) {
        found.only_after.insert(found.only_after.end(), rows.begin(), rows.end());
    }
    if (!found.pairs.empty()) {
        auto const in_order = [](auto const& a, auto const& b) { return stands_before(*a.first, *b.first); };
        std::ranges::stable_sort(found.pairs, in_order);
        return found;
    }
    lines_by_name const anywhere = named(before, row_of);
    if (std::ranges::any_of(after, [&](json const& line) { return anywhere.contains(row_of(line)); })) {
        throw usage_error(
            fmt::format("{} was measured on {}, and {} on {}: expected the same machine, instruction set and "
                        "threads, or --any-machine",
                        options.before, places_of(before), options.after, places_of(after)));
    }
    throw usage_error(fmt::format("no row is in both: {} has {} rows, the first '{}', and {} has {}, the first '{}'",
                                  options.before, before.size(), row_of(before[0]), options.after, after.size(),
                                  row_of(after[0])));
}

rates::change change_of(json const& before, json const& after) {
    return rates::change_of(before["samples"].get<std::vector<double>>(), after["samples"].get<std::vector<double>>());
}

std::string bounds_text(std::optional<rates::bounds> const& within) {
    return within ? fmt::format("{:.3f} to {:.3f}", within->least, within->most) : "-";
}

char const* verdict_of(rates::change const& found, double tolerance) {
    return !found.within                         ? "too few samples"
           : found.within->most < 1 - tolerance  ? "slower"
           : found.within->least > 1 + tolerance ? "faster"
                                                 : "same";
}

json to_json(rates::change const& found) {
    json out{{"ratio", found.ratio}, {"least", nullptr}, {"most", nullptr}};
    if (found.within) {
        out["least"] = found.within->least;
        out["most"] = found.within->most;
    }
    return out;
}

std::vector<std::string> labels_of(std::vector<json const*> const& lines) {
    std::vector<std::string> labels;
    for (json const* line : lines) {
        labels.push_back(label_of(*line));
    }
    return labels;
}

std::string only_in(std::string const& path, std::vector<json const*> const& lines) {
    if (lines.empty()) {
        return "";
    }
    std::vector<std::string> labels = labels_of(lines);
    std::size_t const more = labels.size() > max_named ? labels.size() - max_named : 0;
    labels.resize(labels.size() - more);
    return fmt::format("only in {}: {}{}\n", path, fmt::join(labels, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
}

void compare(context& ctx, compare_options const& options) {
    std::vector<json> const before = rates_of(options.before), after = rates_of(options.after);
    pairing const found = paired(before, after, options);
    std::set<std::string> labels;
    for (auto const& [old_row, new_row] : found.pairs) {
        labels.insert(label_of(*old_row));
    }
    auto* const name_of = labels.size() == found.pairs.size() ? label_of : key_of;
    table shown({{"row"},
                 {"old", align::right},
                 {"new", align::right},
                 {"unit"},
                 {"new / old", align::right},
                 {"at 95 %", align::right},
                 {"new is"}});
    json report{
        {"old", options.before}, {"new", options.after}, {"tolerance", options.tolerance}, {"rows", json::array()}};
    std::vector<double> ratios;
    std::int64_t slower = 0, unjudged = 0;
    for (auto const& [old_row, new_row] : found.pairs) {
        rates::change const change = change_of(*old_row, *new_row);
        bool const is_machine = (*old_row)["benchmark"] == "ceiling";  // not the engine's doing
        std::string const verdict = is_machine ? "the machine" : verdict_of(change, options.tolerance);
        slower += verdict == "slower" ? 1 : 0;
        unjudged += verdict == "too few samples" ? 1 : 0;
        if (!is_machine) {
            ratios.push_back(change.ratio);
        }
        double const old_rate = (*old_row)["rate"].get<double>(), new_rate = (*new_row)["rate"].get<double>();
        std::string const unit = (*new_row)["unit"].get<std::string>();
        shown.add({name_of(*old_row), scaled(old_rate), scaled(new_rate), unit, fmt::format("{:.3f}", change.ratio),
                   bounds_text(change.within), verdict});
        json row{{"row", name_of(*old_row)}, {"unit", unit}, {"old", old_rate}, {"new", new_rate}};
        row.update(to_json(change));
        row["new_is"] = verdict;
        report["rows"].push_back(std::move(row));
    }
    std::string text = shown.text();
    if (!ratios.empty()) {
        rates::change const mean = rates::geometric_mean(ratios);
        report["geometric_mean"] = to_json(mean);
        text += fmt::format("\ngeometric mean of {} rows: {:.3f} ({})\n", ratios.size(), mean.ratio,
                            mean.within ? bounds_text(mean.within) + " at 95 %" : "one row has no bounds");
    }
    text += fmt::format("{} slower beyond {}{}\n", slower, options.tolerance,
                        unjudged > 0 ? fmt::format(", {} with fewer than four samples not judged", unjudged) : "");
    text += only_in(options.before, found.only_before) + only_in(options.after, found.only_after);
    report["slower"] = slower;
    report["only_old"] = labels_of(found.only_before);
    report["only_new"] = labels_of(found.only_after);
    write_stdout(ctx.json ? json_text(report, 1) + "\n" : text);
    if (slower > 0) {
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_bench_compare(command_entry bench, context& ctx, bool& has_run) {
    auto const options = std::make_shared<compare_options>();
    command_entry const command = bench.add_command(
        "compare", "Two runs side by side, row by row: how much the rates have changed",
        {"optgap bench compare old.json new.json",
         "optgap bench compare bench/results/cpu.jsonl new.json --tolerance 0.02"},
        {"Takes reports of optgap bench --json and lines of results. A row's ratio is the median of the ratios of all",
         "pairs of samples, its interval that of an exact Mann-Whitney test at 5 %; at most 15 samples of a row count.",
         "The geometric mean has Student's interval over the rows' logarithms. Ceilings are shown, and neither judged",
         "nor averaged. Samples of one run say nothing of what moves between runs: runs that took turns tell more.",
         "Exit code 1: some row is slower, its whole interval below 1 - tolerance. 2: files that cannot be compared."});
    command.add_option("OLD", options->before, "What was").required();
    command.add_option("NEW", options->after, "What is").required();
    command
        .add_option("--tolerance", options->tolerance,
                    "A row is slower where its whole interval lies below 1 - this: 0.02 allows two per cent")
        .between(0.0, 1.0)
        .show_default();
    command.add_flag("--any-machine", options->any_machine,
                     "Also results of different machines, instruction sets or threads");
    command.on_run([&ctx, &has_run, options] {
        has_run = true;
        compare(ctx, *options);
    });
}

void add_bench_merge(command_entry bench, context& ctx, bool& has_run) {
    struct merge_options {
        std::string into;
        std::vector<std::string> from;
    };
    auto const options = std::make_shared<merge_options>();
    command_entry const command = bench.add_command(
        "merge", "Puts results into a file that has one line for each measurement: the newest",
        {"optgap bench merge bench/results/gpu.jsonl run.json", "optgap bench merge all.jsonl cpu.jsonl gpu.jsonl"});
    command.add_option("INTO", options->into, "File of lines; made where there is none").required();
    command
        .add_option("FROM", options->from, "Reports of optgap bench --json, lines, or folders of them; later ones win")
        .required();
    command.on_run([&ctx, &has_run, options] {
        has_run = true;
        std::vector<json> fresh;
        for (std::string const& path : options->from) {
            std::vector<json> const some = read_lines(path);
            fresh.insert(fresh.end(), some.begin(), some.end());
        }
        record_lines(options->into, fresh);
        ctx.note(fmt::format("{}: {} lines put in", options->into, fresh.size()));
    });
}

}  // namespace optgap::cli
