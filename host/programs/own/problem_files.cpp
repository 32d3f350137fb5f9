#include "host/programs/own/problem_files.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "host/programs/extract.hpp"
#include "host/programs/own/problem_archive.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_problem(std::string const& what) { throw field_error("problem", what); }

std::string file_content(fs::path const& path, std::size_t room) {
    std::error_code failed;
    std::uintmax_t const size = fs::file_size(path, failed);
    if (failed) {
        refuse_problem(fmt::format("cannot read {}: {}", path.string(), failed.message()));
    }
    if (size > room) {
        refuse_problem(fmt::format("{} and what it holds are larger than 256 MiB", path.string()));
    }
    std::string content(std::size_t(size), '\0');
    std::ifstream in(path, std::ios::binary);
    if (!in.read(content.data(), std::streamsize(size)) && size > 0) {
        refuse_problem(fmt::format("cannot read {}", path.string()));
    }
    return content;
}

problem_files folder_files(fs::path const& root) {
    problem_files out;
    std::size_t bytes = 0;
    std::error_code failed;
    fs::recursive_directory_iterator walk(root, failed);
    while (!failed && walk != fs::recursive_directory_iterator()) {
        fs::directory_entry const entry = *walk;
        std::string const name = entry.path().filename().string();
        fs::file_status const status = entry.symlink_status(failed);
        if (failed) {
            break;
        }
        if (name.front() == '.' || name == "__pycache__") {
            walk.disable_recursion_pending();
        } else if (fs::is_regular_file(status)) {
            std::string const relative = entry.path().lexically_relative(root).generic_string();
            if (out.size() == max_problem_files) {
                refuse_problem(fmt::format("{} holds more than {} files", root.string(), max_problem_files));
            }
            std::string content = file_content(entry.path(), max_problem_bytes - bytes);
            bytes += content.size();
            out.emplace(relative, std::move(content));
        } else if (!fs::is_directory(status)) {
            refuse_problem(fmt::format("{} is no regular file: links and devices are no part of a problem",
                                       entry.path().string()));
        }
        walk.increment(failed);
    }
    if (failed) {
        refuse_problem(fmt::format("cannot read {}: {}", root.string(), failed.message()));
    }
    return out;
}

}  // namespace

problem_files read_problem_files(std::string const& path) {
    std::error_code failed;
    fs::path root(path);
    root = root.has_filename() ? root : root.parent_path();
    fs::file_status const status = fs::status(root, failed);
    if (fs::is_directory(status)) {
        return folder_files(root);
    }
    if (fs::is_regular_file(status)) {
        constexpr std::size_t header_bytes = 1024;  // of an archive's entry, and the rest of its last block
        return files_in_archive(file_content(root, max_problem_bytes + header_bytes * max_problem_files), path);
    }
    refuse_problem(fmt::format("{} is no folder and no archive; a path is taken from the working directory", path));
}

std::string digest_of(problem_files const& files) {
    std::string all;
    for (auto const& [name, content] : files) {
        all += fmt::format("{} {} {} {}\n", name.size(), name, content.size(), source_hash(content));
    }
    return source_hash(all);
}

}  // namespace optgap::programs
