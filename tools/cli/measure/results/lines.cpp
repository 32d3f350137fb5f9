#include "tools/cli/measure/results/lines.hpp"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/comparison.hpp"
#include "tools/cli/measure/results/fields.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr int sample_digits = 4;
constexpr int kept_digits = 6;  ///< of everything else
/// What a report says of all its rows: what it must say, and what it may.
constexpr std::array<char const*, 3> place_fields{"device", "instruction_set", "commit"};
constexpr std::array<char const*, 3> kept_fields{"driver", "kernel_sources", "modified"};
/// What was chosen for a measurement, in the order that lines stand in.
constexpr std::array<char const*, 4> chosen_words{"benchmark", "case", "task", "level"};
constexpr std::array<char const*, 3> chosen_numbers{"batch", "text_bytes", "steps"};

double rounded(double value, int to) { return std::strtod(fmt::format("{:.{}g}", value, to).c_str(), nullptr); }

/// All numbers of a value, as they are kept.
json rounded(json value) {
    if (value.is_number_float()) {
        return rounded(value.get<double>(), kept_digits);
    }
    for (json& part : value) {
        if (part.is_structured() || part.is_number_float()) {
            part = rounded(std::move(part));
        }
    }
    return value;
}

/// Those of the fields that there are.
void copy(json const& from, json& to, std::initializer_list<char const*> names) {
    for (char const* name : names) {
        if (from.contains(name)) {
            to[name] = rounded(from[name]);
        }
    }
}

json kept_samples_of(std::vector<double> rates) {
    json kept = json::array();
    for (double const rate : rates::thinned(std::move(rates))) {
        kept.push_back(rounded(rate, sample_digits));
    }
    return kept;
}

/// What every line of a report ends with.
json source_of(json const& report, std::string const& where) {
    checked_fields const head(report, where);
    json out;
    out["machine"] = report.contains("machine") ? head.text("machine") : head.text("device");  // before it had a name
    for (char const* field : place_fields) {
        out[field] = head.text(field);
    }
    out["threads"] = head.count("threads", 1);
    out["text_bytes"] = head.count("text_bytes", 0);
    out["steps"] = head.count("steps", 0);
    for (char const* field : kept_fields) {
        if (report.contains(field)) {
            out[field] = report[field];
        }
    }
    out["date"] = report.contains("date") ? head.text("date") : "unknown";
    out["command"] = head.text("command");
    return out;
}

json line_of_row(json const& from, checked_fields const& row) {
    double const items = row.positive("items_per_sample");
    std::vector<double> rates = row.samples("samples_s");
    std::size_t const samples = rates.size();
    for (double& one : rates) {
        one = items / one;
    }
    double const rate = row.positive("rate");
    json line{{"benchmark", row.text("workload")}};
    copy(from, line, {"task", "level", "batch", "unit"});
    line["rate"] = rounded(rate, kept_digits);
    line["median_s"] = rounded(items / rate, kept_digits);
    copy(from, line, {"spread", "ceiling", "share_of_ceiling", "latency_s", "stages_s", "ratios"});
    line["taken"] = samples;
    line["samples"] = kept_samples_of(std::move(rates));
    return line;
}

json line_of_ceiling(json const&, checked_fields const& found) {
    std::vector<double> rates = found.samples("samples");
    json line{{"benchmark", "ceiling"}, {"case", found.text("name")}, {"unit", found.text("unit")}};
    line["rate"] = rounded(found.positive("median"), kept_digits);
    line["taken"] = rates.size();
    line["samples"] = kept_samples_of(std::move(rates));
    return line;
}

/// Reports did not always say it.
std::string text_or(json const& row, checked_fields const& of, char const* field, char const* usual) {
    return row.contains(field) ? of.text(field) : usual;
}

/// The rows of a call follow from the machine's speed, so they are no part of what was chosen.
json line_of_interference(json const& row, checked_fields const& of) {
    std::string which = of.text("loop") + " beside " + of.text("workload");
    which += row.contains("process") && row["process"] == "its own" ? ", its own process" : "";
    if (row.contains("multiprocessors")) {
        std::int64_t const some = of.count("multiprocessors", 0);
        which += fmt::format(", {} SMs, launches of {} us", some == 0 ? "all" : std::to_string(some),
                             of.count("launch_microseconds", 0));
    }
    json line{{"benchmark", "interference"},
              {"case", fmt::format("{}, {} threads", which, of.count("threads", 1))},
              {"task", text_or(row, of, "task", "mixed")},
              {"level", text_or(row, of, "level", "benchmark")},
              {"loop", of.text("loop")},
              {"workload", of.text("workload")},
              {"rows_a_call", of.count("batch", 1)}};
    for (auto const& [name, value] : row.items()) {
        if (!line.contains(name) && name != "batch" && name != "rounds" && name != "threads") {
            line[name] = rounded(value);
        }
    }
    for (json const& round : of.list("rounds")) {
        checked_fields const one(round, "a round");
        json four = json::array();
        for (char const* rate : {"loop_alone", "engine_alone", "loop_beside", "engine_beside"}) {
            four.push_back(rounded(one.positive(rate), sample_digits));
        }
        line["rounds"].push_back(four);
    }
    return line;
}

json line_of_goal(json const& row, checked_fields const& of) {
    json line{{"benchmark", "goal"},
              {"case", of.text("goal")},
              {"task", text_or(row, of, "task", "every task")},
              {"level", text_or(row, of, "level", "benchmark")}};
    copy(row, line, {"unit", "at_least", "at_most"});
    line["value"] = rounded(row["value"]);
    copy(row, line, {"verdict", "note"});
    return line;
}

std::string device_kind(json const& line) {
    std::string const device = line.value("device", "");
    return device.substr(0, device.find(':'));
}

auto order_of(json const& line) {
    std::tuple<std::array<std::string, 7>, std::array<std::int64_t, 4>> order;
    auto& [words, numbers] = order;
    words[0] = line.value("machine", "");
    words[1] = device_kind(line);
    for (std::size_t k = 0; k < chosen_words.size(); ++k) {
        words[2 + k] = line.value(chosen_words[k], "");
    }
    words[6] = line.value("instruction_set", "");
    numbers[0] = line.value("threads", std::int64_t(0));
    for (std::size_t k = 0; k < chosen_numbers.size(); ++k) {
        numbers[1 + k] = line.value(chosen_numbers[k], std::int64_t(0));
    }
    return order;
}

}  // namespace

std::string machine_name(std::string const& device_name) {
    std::string model = "an unnamed processor", line;
    for (std::ifstream of("/proc/cpuinfo"); std::getline(of, line);) {
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            model = line.substr(line.find(": ") + 2);
            break;
        }
    }
    std::string name = fmt::format("{}, {} processors", model, ::sysconf(_SC_NPROCESSORS_ONLN));
    if (device_name.starts_with("cuda: ")) {
        name += ", " + device_name.substr(6, device_name.find(',') - 6);
    }
    return name;
}

std::vector<json> lines_of(json const& report, std::string const& where) {
    json const source = source_of(report, where);
    checked_fields const all(report, where);
    std::vector<json> lines;
    auto const add = [&](char const* field, auto const& line_of) {
        std::size_t number = 0;
        for (json const& row : all.list(field)) {
            json line = line_of(row, checked_fields(row, fmt::format("{}, {}[{}]", where, field, number++)));
            if (!line.is_null()) {
                line.update(source);
                lines.push_back(std::move(line));
            }
        }
    };
    add("rows", line_of_row);
    add("ceilings", line_of_ceiling);
    add("interference", line_of_interference);
    add("goals", [](json const& row, checked_fields const& of) {
        return row.contains("value") && row["value"].is_number() ? line_of_goal(row, of) : json();
    });
    for (json const& line : lines) {
        check_line(line, where);
    }
    return lines;
}

void check_line(json const& line, std::string const& where) {
    checked_fields const of(line, where);
    for (char const* field : {"benchmark", "machine", "device", "instruction_set", "commit", "date", "command"}) {
        static_cast<void>(of.text(field));
    }
    static_cast<void>(of.count("threads", 1));
    for (char const* field : chosen_words) {
        if (line.contains(field)) {
            static_cast<void>(of.text(field));
        }
    }
    for (char const* field : chosen_numbers) {
        if (line.contains(field)) {
            static_cast<void>(of.count(field, 0));
        }
    }
    if (line.contains("samples")) {
        static_cast<void>(of.positive("rate"));
        static_cast<void>(of.text("unit"));
        if (of.samples("samples").size() > rates::kept_samples) {
            of.refuse("samples", fmt::format("{} numbers at most", rates::kept_samples));
        }
    }
}

std::string label_of(json const& line) {
    std::string label;
    for (char const* field : chosen_words) {
        label += (label.empty() || !line.contains(field) ? "" : " ") + line.value(field, "");
    }
    return label + (line.contains("batch") ? fmt::format(" x{}", line.value("batch", std::int64_t(0))) : "");
}

std::string row_of(json const& line) {
    std::string row = label_of(line);
    if (line.contains("text_bytes") && line["benchmark"] != "ceiling") {  // a run's, whether its rows heed them or not
        row += fmt::format(", texts of {} bytes, {} steps", line.value("text_bytes", std::int64_t(0)),
                           line.value("steps", std::int64_t(0)));
    }
    return row;
}

std::string measured_on(json const& line) {
    std::int64_t const threads = line.value("threads", std::int64_t(0));
    return fmt::format("{} ({}, {}, {} thread{})", line.value("machine", ""), device_kind(line),
                       line.value("instruction_set", ""), threads, threads == 1 ? "" : "s");
}

std::string key_of(json const& line) { return measured_on(line) + ": " + row_of(line); }

bool stands_before(json const& a, json const& b) { return order_of(a) < order_of(b); }

}  // namespace optgap::cli
