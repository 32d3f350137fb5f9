#include "tools/cli/look/demo_inputs.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "tools/cli/look/demo_files.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {

std::vector<named_text> carried_files(std::string_view folder) {
    std::vector<named_text> files;
    for (demo_file const& file : demo_files()) {
        if (file.name.starts_with(folder)) {
            files.push_back({std::string(file.name.substr(folder.size())), std::string(file.text)});
        }
    }
    return files;
}

std::vector<named_text> files_below(std::string const& folder) {
    if (!std::filesystem::is_directory(folder)) {
        throw usage_error(fmt::format("--data: there is no folder '{}'", folder));
    }
    std::vector<named_text> files;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            files.push_back(
                {entry.path().lexically_relative(folder).generic_string(), read_whole(entry.path().string())});
        }
    }
    std::sort(files.begin(), files.end(), [](auto const& x, auto const& y) { return x.name < y.name; });
    return files;
}

std::vector<row_item> rows_of(named_text const& file) {
    std::vector<row_item> items;
    std::int64_t number = 0;
    for (std::size_t begin = 0; begin < file.text.size(); ++number) {
        std::size_t const end = std::min(file.text.find('\n', begin), file.text.size());
        std::string_view const line = std::string_view(file.text).substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        row_item& item = items.emplace_back();
        item.number = number + 1;
        std::string rule;
        item.is_object = item.row.split(line, rule);
        if (!item.is_object) {
            item.reject("line", rule);
        }
    }
    return items;
}

}  // namespace optgap::cli
