#include "tools/cli/measure/results/files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/sqlite/writer_lock.hpp"
#include "tools/cli/measure/results/lines.hpp"
#include "tools/cli/shell/context.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr char const* expected_results = "expected a report of optgap bench --json, or lines of results";

json parsed(std::string_view text, std::string const& where) {
    json value = read_json(text);
    if (value.is_discarded()) {
        throw usage_error(fmt::format("{}: is cut or no JSON at byte {} of {}; {}", where, json_fault(text),
                                      text.size(), expected_results));
    }
    return value;
}

std::vector<json> lines_of_text(std::string_view text, std::string const& path) {
    std::vector<json> lines;
    for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        std::string_view const one = text.substr(begin, end - begin);
        begin = end + 1;
        if (one.find_first_not_of(" \t\r") != std::string_view::npos) {
            std::string const where = fmt::format("{}, line {}", path, number);
            lines.push_back(parsed(one, where));
            check_line(lines.back(), where);
        }
    }
    return lines;
}

std::vector<json> lines_of_file(std::string const& path) {
    std::string const text = read_whole(path);
    std::string_view const first = std::string_view(text).substr(0, text.find('\n'));
    // A report has its brace alone on the first line, or all of itself there.
    json const head = read_json(first);
    bool const is_report = first == "{" || (head.is_object() && head.contains("rows"));
    std::vector<json> lines = is_report ? lines_of(parsed(text, path), path) : lines_of_text(text, path);
    if (lines.empty()) {
        throw usage_error(fmt::format("{}: holds no result; {}", path, expected_results));
    }
    return lines;
}

}  // namespace

std::vector<json> read_lines(std::string const& path) {
    if (std::error_code none; !fs::is_directory(path, none)) {
        return lines_of_file(path);
    }
    std::vector<std::string> files;
    for (fs::directory_entry const& entry : fs::directory_iterator(path)) {
        if (entry.path().extension() == ".jsonl") {
            files.push_back(entry.path().string());
        }
    }
    if (files.empty()) {
        throw usage_error(path + ": holds no *.jsonl; expected a folder of results");
    }
    std::ranges::sort(files);
    std::vector<json> all;
    for (std::string const& file : files) {
        std::vector<json> some = lines_of_file(file);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void record_lines(std::string const& path, std::vector<json> const& fresh) {
    sqlite::writer_lock const lock(path);  // from the reading to the writing
    std::map<std::string, json> by_key;
    if (fs::exists(path)) {
        for (json& line : lines_of_file(path)) {
            by_key.insert_or_assign(key_of(line), std::move(line));
        }
    }
    for (json const& line : fresh) {
        by_key.insert_or_assign(key_of(line), line);
    }
    std::vector<json> lines;
    for (auto& [key, line] : by_key) {
        lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(lines, stands_before);
    std::string text;
    for (json const& line : lines) {
        text += json_text(line) + "\n";
    }
    write_whole(path, text);
}

}  // namespace optgap::cli
