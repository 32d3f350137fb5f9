#pragma once
// Results of optgap bench as lines: one JSON object for each row, ceiling, pair of a trainer's loop and a verb, and
// goal of a run, with all that says where it is from. docs/performance.md names the fields.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace optgap::cli {

/// This processor's model and number of processors, and the GPU of a device_name, as "AMD EPYC, 2 processors".
std::string machine_name(std::string const& device_name);

/// The lines of a report (`optgap bench --json`). `where` begins the sentence that says what is wrong with it, in a
/// usage_error: reports come from files.
std::vector<nlohmann::ordered_json> lines_of(nlohmann::ordered_json const& report, std::string const& where);
/// Throws usage_error, which begins with `where`, unless it is a line.
void check_line(nlohmann::ordered_json const& line, std::string const& where);

/// What two lines share that are the same measurement: everything that was chosen for it, and where it ran.
std::string key_of(nlohmann::ordered_json const& line);
/// "solve tsp benchmark x512": what it measures, in words.
std::string label_of(nlohmann::ordered_json const& line);
/// The part of the key that says nothing of the machine.
std::string row_of(nlohmann::ordered_json const& line);
/// The rest: "AMD EPYC, 2 processors (cpu, isa_v3, 1 thread)".
std::string measured_on(nlohmann::ordered_json const& line);
/// Whether `a` stands before `b` in a file: by machine and device, then by benchmark, task and level, numbers as such.
bool stands_before(nlohmann::ordered_json const& a, nlohmann::ordered_json const& b);

}  // namespace optgap::cli
