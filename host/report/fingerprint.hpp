#pragma once

#include <string>
#include <string_view>

namespace optgap {

/// XXH3-128 of a file's bytes in hex, as `xxhsum -H2` prints it.
std::string fingerprint(std::string_view bytes);

}  // namespace optgap
