#include "tools/cli/rows/solve_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "kernels/text/task_text.hpp"

namespace optgap::cli {
namespace {

bool ends_with_any_case(std::string_view text, std::string_view ending) {
    if (text.size() < ending.size()) {
        return false;
    }
    for (std::size_t i = 0; i < ending.size(); ++i) {
        char const c = text[text.size() - ending.size() + i];
        if (std::tolower(static_cast<unsigned char>(c)) != std::tolower(static_cast<unsigned char>(ending[i]))) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<instance_file> instance_file_of(context& ctx, std::string const& path, std::int32_t task) {
    auto const tasks = ctx.get_engine().tasks();
    std::optional<instance_file> found;
    for (std::int32_t t = 0; t < std::int32_t(tasks.size()); ++t) {
        if (task >= 0 && t != task) {
            continue;
        }
        for (file_format const* format = ctx.text(t).files; format->extension != nullptr; ++format) {
            // Rows are text, too: a .txt is an instance when the task is said.
            bool const says_little = std::string_view(format->extension) == ".txt" && task < 0;
            if (says_little || !ends_with_any_case(path, format->extension)) {
                continue;
            }
            if (found && found->task != t) {
                throw usage_error(fmt::format("'{}' could be {} or {}: say --task NAME", path,
                                              tasks[std::size_t(found->task)].name, tasks[std::size_t(t)].name));
            }
            found = instance_file{path, t, format};
        }
    }
    return found;
}

std::vector<std::int32_t> read_instance(instance_file const& file) {
    std::ifstream stream(file.path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) {
        throw usage_error(fmt::format("cannot read '{}': {}", file.path, std::strerror(errno)));
    }
    return file.format->read(text);
}

}  // namespace optgap::cli
