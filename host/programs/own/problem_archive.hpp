#pragma once
// A problem in one file: an archive in the format ustar, which `tar` reads. It holds names, sizes and contents alone,
// so that equal problems are equal archives.

#include <string>
#include <string_view>

#include "host/programs/own/problem_files.hpp"

namespace optgap::programs {

/// Throws field_error{"problem", …} for a name longer than 100 bytes.
std::string archive_of(problem_files const& files);

/// Reads an archive of regular files, which `path` names in errors. Throws field_error{"problem", …} for anything else,
/// for names that leave the problem or begin with a dot, and beyond the limits of a folder.
problem_files files_in_archive(std::string_view archive, std::string const& path);

}  // namespace optgap::programs
