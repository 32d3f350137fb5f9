#include "tools/cli/rows/files/instance_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "host/files/instance_format.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/files/packed_file.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t looked_at = std::size_t(64) << 10;  ///< bytes of a file's beginning that tell rows from others

bool ends_with_any_case(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() &&
           std::ranges::equal(text.substr(text.size() - ending.size()), ending,
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

/// Rows are text, too: such a file is an instance when the task is given.
bool says_little(std::string_view extension) {
    return extension == ".txt" || extension == ".csv" || extension == ".json";
}

/// A brace, and then a name or the other brace: blocks of code and objects over several lines are no rows.
bool begins_with_object(std::string_view line) {
    constexpr std::string_view blank = " \t\r\xef\xbb\xbf";
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    if (!line.starts_with('{')) {
        return false;
    }
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    return line.starts_with('"') || line.starts_with('}');
}

/// Visits what reads files of a task: its own formats, then those of host/files. visit(extension, read)
template <class Visit>
void each_format(context& ctx, std::int32_t task, Visit const& visit) {
    for (file_format const* format = ctx.text(task).files; format->extension != nullptr; ++format) {
        visit(std::string_view(format->extension), format->read);
    }
    std::string_view const name = ctx.get_engine().tasks()[std::size_t(task)].name;
    for (files::instance_format const& format : files::instance_formats()) {
        for (std::string_view const extension : format.extensions) {
            if (format.task == name && format.read != nullptr) {
                visit(extension, format.read);
            }
        }
    }
}

enum class looks { absent, blank, like_rows, packed, foreign };

/// At most `looked_at` bytes.
std::string first_bytes(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(looked_at, '\0');
    file.read(bytes.data(), std::streamsize(bytes.size()));
    bytes.resize(std::size_t(file.gcount()));
    return bytes;
}

/// By what a format of host/files says of the file's beginning.
std::optional<instance_file> recognised(context& ctx, std::string const& path, std::int32_t task) {
    auto const tasks = ctx.get_engine().tasks();
    std::string const bytes = first_bytes(path);
    for (files::instance_format const& format : files::instance_formats()) {
        auto const of = std::ranges::find(tasks, format.task, &task_info::name);
        bool const may = of != tasks.end() && (task < 0 || of - tasks.begin() == task);
        if (may && format.read != nullptr && format.recognise != nullptr && format.recognise(without_mark(bytes))) {
            return instance_file{path, std::int32_t(of - tasks.begin()), format.extensions.front(), format.read};
        }
    }
    return std::nullopt;
}

/// What its first bytes are. Rows stay rows where one of the first lines is an object, so that each bad one is
/// reported.
looks beginning_of(std::string const& path) {
    if (!std::filesystem::is_regular_file(path)) {
        return looks::absent;
    }
    std::string const bytes = first_bytes(path);
    if (is_gzip(bytes)) {
        return looks::packed;
    }
    std::string_view rest = bytes;
    bool blank = true;
    while (!rest.empty()) {
        std::string_view const line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        blank = blank && line.find_first_not_of(" \t\r") == std::string_view::npos;
        if (begins_with_object(line)) {
            return looks::like_rows;
        }
    }
    return blank ? looks::blank : looks::foreign;
}

}  // namespace

std::optional<instance_file> instance_file_named(context& ctx, std::string const& path, std::int32_t task) {
    auto const tasks = ctx.get_engine().tasks();
    std::string_view name = path;
    if (ends_with_any_case(name, ".gz")) {
        name.remove_suffix(3);
    }
    std::optional<instance_file> found;
    for (std::int32_t t = 0; t < std::int32_t(tasks.size()); ++t) {
        if (task >= 0 && t != task) {
            continue;
        }
        each_format(ctx, t, [&](std::string_view extension, auto read) {
            if ((task < 0 && says_little(extension)) || !ends_with_any_case(name, extension)) {
                return;
            }
            if (found && found->task != t) {
                throw usage_error(fmt::format("'{}' could be {} or {}: say --task NAME", path,
                                              tasks[std::size_t(found->task)].name, tasks[std::size_t(t)].name));
            }
            found = instance_file{path, t, extension, read};
        });
    }
    return found;
}

std::optional<instance_file> instance_file_of(context& ctx, std::string const& path, std::int32_t task) {
    std::optional<instance_file> const found = instance_file_named(ctx, path, task);
    if (found && !says_little(found->extension)) {
        return found;
    }
    looks const begins = ends_with_any_case(path, ".jsonl") ? looks::like_rows : beginning_of(path);
    if (begins == looks::absent || begins == looks::blank) {
        return found;
    }
    if (begins == looks::like_rows) {
        return std::nullopt;
    }
    if (std::optional<instance_file> const known = recognised(ctx, path, task); known && !found) {
        return known;
    }
    if (task < 0 && begins == looks::foreign) {
        throw usage_error(
            fmt::format("'{}' holds no rows of JSON and no task knows its extension: expected rows, one object a line, "
                        "or a file in "
                        "a task's format (optgap tasks --json), with --task NAME where the extension does not tell it",
                        path));
    }
    if (task < 0) {
        return std::nullopt;
    }
    std::optional<instance_file> first;
    each_format(ctx, task, [&](std::string_view extension, auto read) {
        first = first ? first : instance_file{path, task, extension, read};
    });
    return found ? found : first ? first : instance_file{path, task};
}

std::vector<std::int32_t> read_instance(instance_file const& file) {
    if (file.read == nullptr) {
        throw field_error("the file", "the task reads no files of others; expected rows of JSON, one object a line");
    }
    std::string text = unpacked(read_whole(file.path));
    if (text.find('\n') == std::string::npos) {  // lines may end in carriage returns alone
        std::ranges::replace(text, '\r', '\n');
    }
    return file.read(without_mark(text));
}

}  // namespace optgap::cli
