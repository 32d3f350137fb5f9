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

/// Rollouts of a group from one line.
struct rewards_seen {
    std::string name;
    double time;
    bool by_key;  ///< named by its ground truth alone, which may recur
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

/// The rows that a resumed run takes back: those counted after the checkpoint from which it continues.
/// python/optgap/measure/curves/folder.py reads by the same rule.
class rewound_rows {
public:
    /// Reads one line of one file. Called for all lines before any row is counted.
    void learn(std::string const& file, std::int64_t number, json const& line) {
        if (line.contains("rewound")) {
            marks_.push_back({line.at("time").get<double>(), line["rewound"].get<std::int64_t>(), file, number});
        }
        if (line.contains("rewound") || line.contains("step")) {
            steps_.push_back(
                {line.at("time").get<double>(), line.contains("curriculum"), file, number,
                 line.contains("rewound") ? line["rewound"].get<std::int64_t>() : line["step"].get<std::int64_t>()});
        }
    }
    void learned() {
        // Notes from before a process loaded the checkpoint's state do not count for the run.
        std::erase_if(steps_, [&](known const& one) {
            return one.note && std::ranges::any_of(marks_, [&](mark const& by) {
                       return by.file == one.file && one.number < by.number;
                   });
        });
        std::ranges::stable_sort(steps_, {}, &known::time);
    }
    [[nodiscard]] bool none() const { return marks_.empty(); }
    /// Training rows at the checkpoint's step are repeated. Rows of another split at that step are not, since a trainer
    /// evaluates before it saves.
    [[nodiscard]] bool takes_back(json const& line, std::string const& level) const {
        double const time = line.at("time").get<double>();
        std::int64_t const step = line.contains("step") ? line["step"].get<std::int64_t>() : step_at(time);
        std::size_t const mark_of_split = level.rfind(':');
        bool const training = mark_of_split == std::string::npos || level.substr(0, mark_of_split) == "train";
        return std::ranges::any_of(
            marks_, [&](mark const& by) { return time <= by.time && step >= by.step + (training ? 0 : 1); });
    }

private:
    struct mark {
        double time;
        std::int64_t step;
        std::string file;
        std::int64_t number;
    };
    struct known {
        double time;
        bool note;
        std::string file;
        std::int64_t number;
        std::int64_t step;
    };
    /// The run's step at a time, for a process that does not know its step.
    [[nodiscard]] std::int64_t step_at(double time) const {
        auto const next = std::ranges::upper_bound(steps_, time, {}, &known::time);
        return next == steps_.begin() ? 0 : std::prev(next)->step;
    }
    std::vector<mark> marks_;
    std::vector<known> steps_;
};

/// Adds a line to the run; throws where it is malformed.
void take(run_counts& run, json const& line, json const& empty, rewound_rows const& back) {
    json cells = json::array();
    std::vector<statistics::place> places;
    std::vector<bool> left_out;
    for (json const& given : line.value("cells", json::array())) {
        json const cell = whole_cell(given, empty);
        places.emplace_back(given.at("task").get<std::string>(), given.at("level").get<std::string>());
        left_out.push_back(!back.none() && back.takes_back(line, places.back().second));
        if (!left_out.back()) {
            cells.push_back(cell);
        }
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
            if (!left_out.at(group.at(1).get<std::size_t>())) {
                seen.push_back(std::move(one));
            }
        }
    }
    run.table.merge(counted);
    std::move(seen.begin(), seen.end(), std::back_inserter(run.seen));
}

/// Counts the groups of the rollouts in their cells.
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
    /// Called for every file before the first is read.
    void learn(std::filesystem::path const& path) {
        std::ifstream in(path, std::ios::binary);
        std::string text;
        for (std::int64_t number = 1; std::getline(in, text) && !in.eof(); ++number) {
            json const line = json::parse(text, nullptr, false);
            try {
                if (line.is_object()) {
                    back_.learn(path.filename().string(), number, line);
                }
            } catch (json::exception const&) {  // `read` says what is wrong
            }
        }
    }
    void learned() { back_.learned(); }
    /// Whether the file may record that a run was resumed; all others are read once.
    static bool says_rewound(std::filesystem::path const& path) {
        std::ifstream in(path, std::ios::binary);
        std::string text;
        while (std::getline(in, text)) {
            if (text.find("\"rewound\"") != std::string::npos) {
                return true;
            }
        }
        return false;
    }

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
                    take(*run, line, empty_, back_);
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
    rewound_rows back_;
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
    if (std::ranges::any_of(files, folder_reader::says_rewound)) {
        std::ranges::for_each(files, [&](auto const& file) { reader.learn(file); });
        reader.learned();
    }
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
