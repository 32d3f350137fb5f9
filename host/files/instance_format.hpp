#pragma once
// A format of files that hold one instance: a file NAME.cpp in this folder, or in files/ of a folder given by
// -DOPTGAP_EXTENSIONS, that defines `instance_formats_of NAME_files()` in namespace optgap::files. CMake finds it;
// nothing else names it. Formats that a task alone reads may also stand in its own folder, as `files` of its task_text.
// The whole of one:
//
//     instance_formats_of optgap::files::edges_files() {
//         return {{.name = "edges", .task = "clique", .extensions = {".edges"}, .recognise = &begins_with_edges,
//                  .read = &read_edges, .write = &write_edges}};
//     }

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace optgap::files {

struct instance_format {
    std::string_view name;                          ///< "tsplib"
    std::string_view task;                          ///< whose instances these are
    std::vector<std::string_view> extensions = {};  ///< with the dot, in small letters
    /// Is it such a file, by its first 64 KiB? Asked of files with another extension.
    bool (*recognise)(std::string_view beginning) = nullptr;
    /// The instance's words; throws field_error{"line 12", rule}. nullptr: the task's own `files` read it.
    std::vector<std::int32_t> (*read)(std::string_view text) = nullptr;
    /// The text of an instance that is given in its JSON form; throws field_error where the format cannot say it.
    std::string (*write)(nlohmann::ordered_json const& instance) = nullptr;
};

using instance_formats_of = std::vector<instance_format>;

/// Of all files here and of -DOPTGAP_EXTENSIONS. Written by CMake.
std::span<instance_format const> instance_formats();

}  // namespace optgap::files
