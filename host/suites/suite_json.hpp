#pragma once
// Suites as in their files.

#include <string>
#include <string_view>

#include "optgap/suites/suite.hpp"

namespace optgap {

/// Reads and checks a file's list, independent of the build. `where` begins each sentence. `frozen`: the file must give
/// its hash.
suite read_suite(std::string_view text, std::string const& where, bool frozen);

/// XXH3-128 over role, tasks, levels, counts, splits and seeds, in the list's order.
std::string list_hash_of(suite const& of);

}  // namespace optgap
