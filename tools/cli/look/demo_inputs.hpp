#pragma once
// What the demo reads: the files that the program carries, or the user's in their place.

#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {

struct named_text {
    std::string name;
    std::string text;
};

/// What the program carries below a folder of tools/demo, or the one file of that name; names begin behind it.
std::vector<named_text> carried_files(std::string_view folder);

/// Every file below a folder, by name. Throws usage_error.
std::vector<named_text> files_below(std::string const& folder);

/// The rows of JSONL, blank lines left out. They borrow the text.
std::vector<row_item> rows_of(named_text const& file);

}  // namespace optgap::cli
