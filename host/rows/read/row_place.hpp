#pragma once

#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"

namespace optgap::rows {

/// Where a row counts: its task and level.
struct row_place {
    std::string task;
    std::string level;  ///< "explicit" for instances of a user's own
};

/// From `task` and `level`, or from `key` where one of them is absent. Throws field_error.
row_place place_of(json_row const& row);

/// Of somebody else's problem, such as `mine/toy@1:train:d3:17#9f3a1c2e`? A task of this build has no slash in its
/// name.
bool is_external_key(std::string_view key);
/// Such a key's, `mine/toy` and `d3`; throws field_error{"key"}. The grammar is that of python/optgap/external/keys.py.
row_place external_place(std::string_view key);

}  // namespace optgap::rows
