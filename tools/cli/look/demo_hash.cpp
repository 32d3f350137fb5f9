#include "tools/cli/look/demo_hash.hpp"

#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/fingerprint.hpp"
#include "host/rows/json/json_text.hpp"
#include "kernels/registry/registry.hpp"
#include "tools/cli/look/hashed_bytes.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/progress.hpp"
#include "tools/cli/shell/table.hpp"
#include "tools/cli/shell/whole_file.hpp"

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array<char const*, 2> parts{"benchmark_set", "verdicts"};
constexpr std::array<char const*, 2> part_titles{"benchmark set", "verdicts"};

/// A task's hashes, by part; empty where there is none.
struct task_hashes {
    std::int32_t version = 0;
    std::array<std::string, parts.size()> hash;
};

/// {"task", "version", "benchmark_set", "verdicts"}, as golden_hash.json and --hash --json have it.
task_hashes read_hashes(json const& row, std::string const& where) {
    task_hashes out;
    if (!row.is_object() || !row.contains("version") || !row["version"].is_number_integer()) {
        throw usage_error(where + ": expected an object with version, benchmark_set and verdicts");
    }
    out.version = row["version"].get<std::int32_t>();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (!row.contains(parts[p]) || !row[parts[p]].is_string()) {
            throw usage_error(fmt::format("{}: {} is missing", where, parts[p]));
        }
        out.hash[p] = row[parts[p]].get<std::string>();
    }
    return out;
}

/// By task name.
std::map<std::string, task_hashes> frozen_hashes() {
    std::map<std::string, task_hashes> out;
    for (task_entry const& entry : registry()) {
        if (entry.golden_hash != nullptr) {
            out[entry.name] = read_hashes(read_json(entry.golden_hash), fmt::format("{}/golden_hash.json", entry.name));
        }
    }
    return out;
}

std::map<std::string, task_hashes> hashes_of_file(std::string const& path) {
    json const found = read_json(read_whole(path));
    if (!found.is_object() || !found.contains("tasks") || !found["tasks"].is_array()) {
        throw usage_error(fmt::format("--against '{}': expected a file that optgap demo --hash --json wrote", path));
    }
    std::map<std::string, task_hashes> out;
    for (json const& row : found["tasks"]) {
        bool const named = row.is_object() && row.contains("task") && row["task"].is_string();
        if (!named) {
            throw usage_error(fmt::format("--against '{}': a row of tasks has no name", path));
        }
        out[row["task"].get<std::string>()] = read_hashes(row, path);
    }
    return out;
}

/// The tasks of these names, or all, in the registry's order.
std::vector<std::int32_t> tasks_of(engine const& by, std::span<std::string const> names) {
    std::set<std::int32_t> wanted;
    for (std::string const& name : names) {
        wanted.insert(by.task_index(name));
    }
    for (std::size_t t = 0; names.empty() && t < by.tasks().size(); ++t) {
        wanted.insert(std::int32_t(t));
    }
    return {wanted.begin(), wanted.end()};
}

std::vector<task_hashes> measure(context& ctx, std::span<std::int32_t const> wanted) {
    progress bar("demo --hash", "rows", std::int64_t(wanted.size()) * (hashed_instances + hashed_verdicts), ctx.quiet);
    std::int64_t done = 0;
    auto const step = [&](std::int64_t rows) { bar.update(done += rows); };
    std::vector<task_hashes> out;
    for (std::int32_t const task : wanted) {
        std::int32_t const version = ctx.get_engine().tasks()[std::size_t(task)].version;
        out.push_back({version, {benchmark_hash(ctx, task, step), verdicts_hash(ctx, task, step)}});
    }
    return out;
}

/// All tasks' hashes of a part as one.
class joined_hash {
public:
    void add(std::string_view task, task_hashes const& of, std::size_t part) {
        lines_ += fmt::format("{}@{} {}\n", task, of.version, of.hash[part]);
    }
    [[nodiscard]] std::string text() const { return lines_.empty() ? "-" : fingerprint(lines_); }

private:
    std::string lines_;
};

struct part_result {
    joined_hash found;
    joined_hash expected;
    bool same = true;
};

}  // namespace

void show_hashes(context& ctx, std::string const& against, std::span<std::string const> names) {
    std::map<std::string, task_hashes> const expected = against.empty() ? frozen_hashes() : hashes_of_file(against);
    engine const& by = ctx.get_engine();
    std::vector<std::int32_t> const wanted = tasks_of(by, names);
    std::vector<task_hashes> const found = measure(ctx, wanted);
    std::array<part_result, parts.size()> results;
    std::string unknown;
    json rows = json::array();
    table out({{"task"}, {"benchmark set"}, {"same"}, {"verdicts"}, {"same"}});
    for (std::size_t t = 0; t < found.size(); ++t) {
        std::string const name(by.tasks()[std::size_t(wanted[t])].name);
        auto const known = expected.find(name);
        std::vector<std::string> cells{fmt::format("{}@{}", name, found[t].version)};
        json row = {{"task", name}, {"version", found[t].version}};
        json same = json::object();
        for (std::size_t p = 0; p < parts.size(); ++p) {
            row[parts[p]] = found[t].hash[p];
            std::string word = "-";
            if (known != expected.end()) {
                bool const equal =
                    known->second.version == found[t].version && known->second.hash[p] == found[t].hash[p];
                results[p].found.add(name, found[t], p);
                results[p].expected.add(name, known->second, p);
                results[p].same = results[p].same && equal;
                same[parts[p]] = equal;
                word = equal ? "yes" : "NO";
            }
            cells.push_back(found[t].hash[p].substr(0, 16));
            cells.push_back(word);
        }
        if (known == expected.end()) {
            unknown += (unknown.empty() ? "" : ", ") + name;
        } else {
            row["same"] = same;
        }
        rows.push_back(row);
        out.add(cells);
    }
    json totals = json::object();
    std::string lines;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        part_result const& of = results[p];
        std::string const hash = of.found.text();
        bool const compared = hash != "-";
        lines +=
            fmt::format("{:<13}  {}\nexpected       {}  same bytes: {}\n", part_titles[p], hash, of.expected.text(),
                        !compared ? "not known"
                        : of.same ? "yes"
                                  : "no");
        totals[parts[p]] = {{"hash", hash}, {"expected", of.expected.text()}, {"same", nullptr}};
        if (compared) {
            totals[parts[p]]["same"] = of.same;
        }
        if (!of.same) {
            ctx.end_with(exit_rejected);
        }
    }
    if (!unknown.empty()) {
        lines += fmt::format("Not compared, since nothing is frozen of them: {}.\n", unknown);
    }
    if (ctx.json) {
        write_stdout(json_text({{"engine", "optgap " OPTGAP_VERSION},
                                {"device", by.device_name()},
                                {"instances_per_task", hashed_instances},
                                {"verdicts_per_task", hashed_verdicts},
                                {"tasks", rows},
                                {"all", totals}},
                               2) +
                     "\n");
        return;
    }
    write_stdout(fmt::format("optgap {} on {}: {} benchmark instances and {} verdicts of {} tasks\n\n{}\n{}",
                             OPTGAP_VERSION, by.device_name(), hashed_instances * std::int64_t(found.size()),
                             hashed_verdicts * std::int64_t(found.size()), found.size(), out.text(), lines));
}

}  // namespace optgap::cli
