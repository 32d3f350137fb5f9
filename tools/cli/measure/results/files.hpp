#pragma once
// Files of results: reports of optgap bench --json, and lines, of which each measurement has its newest.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace optgap::cli {

/// Every line of a report, of lines, or of a folder's files (`*.jsonl`). Throws usage_error that says what, where and
/// what was expected, also where there is none.
std::vector<nlohmann::ordered_json> read_lines(std::string const& path);
/// A file's lines with these among them: a line takes the place of the one with its key. The file is replaced at once
/// or not at all. Throws io_error.
void record_lines(std::string const& path, std::vector<nlohmann::ordered_json> const& fresh);

}  // namespace optgap::cli
