#pragma once
// What stands around the text of a file: gzip (RFC 1952) and byte order marks.

#include <string>
#include <string_view>

namespace optgap::cli {

bool is_gzip(std::string_view bytes);

/// The text of a file that gzip packed, several members one after the other; other bytes as they are. Throws
/// field_error for one that is broken, cut or larger than 1 GiB, and where this build has no zlib.
std::string unpacked(std::string bytes);

/// Without UTF-8's mark; throws field_error for UTF-16's.
std::string_view without_mark(std::string_view text);

}  // namespace optgap::cli
