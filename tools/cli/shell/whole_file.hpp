#pragma once

#include <string>
#include <string_view>

namespace optgap::cli {

/// A file's bytes; "-" is stdin. Throws usage_error when it cannot be read.
std::string read_whole(std::string const& path);

/// Throws io_error.
void write_whole(std::string const& path, std::string_view text);

}  // namespace optgap::cli
