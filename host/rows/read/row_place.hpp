#pragma once

#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"

namespace optgap::rows {

/// The task and level to which a row counts.
struct row_place {
    std::string task;
    std::string level;  ///< "explicit" for instances of a user's own
};

/// Reads them from `task` and `level`, or from `key` where one of them is absent. Throws field_error.
row_place place_of(json_row const& row);

/// Whether a key names an external problem, such as `mine/toy@1:train:d3:17#9f3a1c2e`. The tasks of this build have no
/// slash in their names.
bool is_external_key(std::string_view key);
/// The task and level of such a key, here `mine/toy` and `d3`; throws field_error{"key"}. The grammar is that of
/// python/optgap/rows/external/keys.py.
row_place external_place(std::string_view key);

}  // namespace optgap::rows
