#pragma once
// Rows of trainers' rollout dumps as rows that score reads. Which trainer writes which field: docs/debugging.md.

#include <optional>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"

namespace optgap::cli {

enum class dump_source { automatic, verl, trl, slime, openrlhf, optgap };

/// Throws usage_error that lists the names.
dump_source dump_source_named(std::string_view name);

/// What one line of a dump says.
struct dump_row {
    std::string line;          ///< the same rollout as a row of score, one JSON object
    std::optional<float> old;  ///< reward that the dump carries; nullopt when it has none
    std::string key, group;    ///< raw JSON that the line has and the dump's row lacks under that name; else empty
};

/// Throws field_error.
dump_row read_dump_row(json_row const& row, dump_source source);

/// Of a row of optgap's own, of whatever kind: itself, and the reward that it had.
dump_row whole_row(json_row const& row);

}  // namespace optgap::cli
