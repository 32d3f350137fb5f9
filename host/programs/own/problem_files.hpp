#pragma once
// The files of a user's own problem, in a folder or in an archive.

#include <cstddef>
#include <map>
#include <string>

namespace optgap::programs {

/// By their path in the folder, "tests/01.in".
using problem_files = std::map<std::string, std::string>;

inline constexpr std::size_t max_problem_files = 20'000;
inline constexpr std::size_t max_problem_bytes = std::size_t(256) << 20;

/// Reads a folder, or a file that `optgap problem pack` wrote. Files whose name begins with a dot, and __pycache__, are
/// not part of a problem. Throws field_error{"problem", …} for what is neither, for links and special files, and beyond
/// 20,000 files or 256 MiB.
problem_files read_problem_files(std::string const& path);

/// XXH3-128 over the names and contents in the order of names, 32 hex digits.
std::string digest_of(problem_files const& files);

}  // namespace optgap::programs
