#include "host/report/statistics_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap {
namespace {

using json = nlohmann::ordered_json;

/// Some rollouts of a group, as one line has them.
struct rewards_seen {
    std::string name;
    double time;
    bool by_key;  ///< named by its ground truth alone, which may come again
    statistics::place cell;
    std::vector<float> rewards;
};

struct run_counts {
    statistics table;
    std::vector<rewards_seen> seen;
};

/// All counters of a cell; a line leaves out those that are zero.
json empty_cell() {
    statistics one;
    one.cells[{"", ""}] = {};
    return json::parse(to_json(one))["cells"][0];
}

json whole_cell(json const& given, json const& empty) {
    json cell = empty;
    for (auto const& [name, value] : given.items()) {
        if (name == "quality_histogram") {
            for (auto const& [bin, count] : value.items()) {
                cell[name].at(std::stoul(bin)) = count;
            }
        } else if (cell.contains(name)) {
            cell[name] = value;
        }
    }
    return cell;
}

/// Throws what says that this is no line.
void take(run_counts& run, json const& line, json const& empty) {
    json cells = json::array();
    std::vector<statistics::place> places;
    for (json const& given : line.value("cells", json::array())) {
        cells.push_back(whole_cell(given, empty));
        places.emplace_back(given.at("task").get<std::string>(), given.at("level").get<std::string>());
    }
    json const table{{"statistics", 1}, {"correct_from", run.table.correct_from}, {"run", nullptr}, {"cells", cells}};
    statistics const counted = statistics_from_json(table.dump());
    std::vector<rewards_seen> seen;
    for (char const* const list : {"groups", "keys"}) {
        for (json const& group : line.value(list, json::array())) {
            rewards_seen one{group.at(0).get<std::string>(),
                             line.at("time").get<double>(),
                             list[0] == 'k',
                             places.at(group.at(1).get<std::size_t>()),
                             {}};
            for (json const& reward : group.at(2)) {
                one.rewards.push_back(reward.is_null() ? std::nanf("") : reward.get<float>());
            }
            seen.push_back(std::move(one));
        }
    }
    run.table.merge(counted);
    std::move(seen.begin(), seen.end(), std::back_inserter(run.seen));
}

/// The groups behind the rollouts, counted in their cells.
void count_groups(run_counts& run) {
    std::stable_sort(run.seen.begin(), run.seen.end(), [](rewards_seen const& a, rewards_seen const& b) {
        return std::tie(a.name, a.time) < std::tie(b.name, b.time);
    });
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    std::vector<std::int32_t> cell;
    std::map<statistics::place, std::int32_t> numbers;
    std::int32_t groups = -1;
    rewards_seen const* before = nullptr;
    for (rewards_seen const& one : run.seen) {
        bool const same = before != nullptr && before->name == one.name &&
                          (!one.by_key || one.time - before->time <= statistics_group_gap);
        groups += same ? 0 : 1;
        before = &one;
        std::int32_t const place = numbers.try_emplace(one.cell, std::int32_t(numbers.size())).first->second;
        for (float const reward : one.rewards) {
            rewards.push_back(reward);
            group.push_back(groups);
            cell.push_back(place);
        }
    }
    group_filter const found = filter_groups(rewards, group, cell, std::int32_t(numbers.size()));
    for (auto const& [place, number] : numbers) {
        run.table.cells[place].groups += found.cells[std::size_t(number)];
    }
}

class folder_reader {
public:
    void read(std::filesystem::path const& path) {
        std::ifstream in(path, std::ios::binary);
        std::string text;
        run_counts* run = nullptr;
        bool header = true;
        for (std::int64_t number = 1; std::getline(in, text); ++number, header = false) {
            std::string const where = fmt::format("{}: line {}", path.filename().string(), number);
            json const line = json::parse(text, nullptr, false);
            if (in.eof()) {
                notes.push_back(where + " is not whole; its process writes it now, or was killed");
            } else if (header && line.is_object() && line.value("optgap_stats", 0) == 1) {
                run = line.contains("run") ? &of(line) : nullptr;
            } else if (header) {
                notes.push_back(where + " is no header of OPTGAP_STATS");
                return;
            } else if (run != nullptr) {
                try {
                    take(*run, line, empty_);
                } catch (std::exception const& broken) {
                    notes.push_back(fmt::format("{}: {}", where, broken.what()));
                }
            }
        }
    }

    std::vector<run_counts> runs;
    std::vector<std::string> notes;

private:
    run_counts& of(json const& header) {
        std::string const record = header["run"].dump();
        for (run_counts& known : runs) {
            if (known.table.run == record) {
                return known;
            }
        }
        runs.emplace_back();
        runs.back().table.run = record;
        runs.back().table.correct_from = header.value("correct_from", 1.0);
        return runs.back();
    }

    json empty_ = empty_cell();
};

}  // namespace

folder_statistics read_statistics_folder(std::string const& path) {
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(path)) {
        if (entry.path().extension() == ".jsonl") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    folder_reader reader;
    for (auto const& file : files) {
        reader.read(file);
    }
    folder_statistics out;
    out.notes = std::move(reader.notes);
    for (run_counts& run : reader.runs) {
        count_groups(run);
        out.runs.push_back(std::move(run.table));
    }
    return out;
}

}  // namespace optgap
